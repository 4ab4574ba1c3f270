"""Which setting of a metric printed a number, and which metrics fit some texts."""
