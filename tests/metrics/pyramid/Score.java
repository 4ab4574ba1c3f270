import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import javax.swing.tree.DefaultMutableTreeNode;
import javax.swing.tree.DefaultTreeModel;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Prints what DUCView's getScore says of each file. It runs without a screen, so DUCView's windows are not made. */
public class Score {
    public static void main(String[] files) throws Exception {
        Field unsafe = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        sun.misc.Unsafe maker = (sun.misc.Unsafe) unsafe.get(null);
        Class<?> view = Class.forName("ducview.DucView");
        for (String file : files) {
            Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File(file));
            Object ducView = maker.allocateInstance(view);
            set(view, ducView, "isPeerLoaded", true);
            set(view, ducView, "pyramidTree", tree(maker, document, "scu"));
            set(view, ducView, "peerTree", tree(maker, document, "peerscu"));
            Class<?> pane = Class.forName("ducview.SCUTextPane");
            Object text = pane.getDeclaredConstructor().newInstance();
            Element pyramid = (Element) document.getElementsByTagName("pyramid").item(0);
            NodeList lines = pyramid.getElementsByTagName("line");
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < lines.getLength(); i++) {
                all.append(lines.item(i).getTextContent()).append("\n");
            }
            pane.getMethod("loadText", String.class).invoke(text, all.toString());
            set(view, ducView, "pyramidTextPane", text);
            String pattern = document.getElementsByTagName("startDocumentRegEx").item(0).getTextContent();
            Method starts = view.getDeclaredMethod("initializeStartDocumentIndexes", String.class);
            starts.setAccessible(true);
            starts.invoke(ducView, pattern);
            Method score = view.getDeclaredMethod("getScore");
            score.setAccessible(true);
            System.out.println("# " + new File(file).getName());
            System.out.println(((String) score.invoke(ducView)).replaceAll("<.*?>", ""));
        }
    }

    private static Object tree(sun.misc.Unsafe maker, Document document, String kind) throws Exception {
        DefaultMutableTreeNode root = new DefaultMutableTreeNode("Root Node");
        NodeList units = document.getElementsByTagName(kind);
        for (int i = 0; i < units.getLength(); i++) {
            Element unit = (Element) units.item(i);
            Object scu = Class.forName("ducview.SCU").getConstructor(int.class, String.class)
                .newInstance(Integer.parseInt(unit.getAttribute("uid")), unit.getAttribute("label"));
            DefaultMutableTreeNode node = new DefaultMutableTreeNode(scu);
            for (int each = unit.getElementsByTagName("contributor").getLength(); each > 0; each--) {
                node.add(new DefaultMutableTreeNode());
            }
            root.add(node);
        }
        Class<?> type = Class.forName("ducview.SCUTree");
        Object tree = maker.allocateInstance(type);
        set(type, tree, "treeModel", new DefaultTreeModel(root));
        return tree;
    }

    private static void set(Class<?> type, Object object, String name, Object value) throws Exception {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }
}
