from metrologue.language_models.base import FunctionModel as FunctionModel
from metrologue.language_models.base import LanguageModel as LanguageModel
from metrologue.language_models.base import TokenScores as TokenScores
from metrologue.language_models.named import NamedModel as NamedModel
from metrologue.language_models.named import open_model as open_model
