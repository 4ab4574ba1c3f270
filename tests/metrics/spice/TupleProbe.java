import edu.anu.spice.*;
import edu.cmu.meteor.aligner.SynonymDictionary;
import edu.cmu.meteor.util.Constants;
import java.io.*;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.json.simple.JSONValue;

/** Scores scene graphs with SPICE's own classes: JSON on standard input, what SPICE writes on standard output. */
public class TupleProbe {
    private static SceneGraph graph(SynonymDictionary synonyms, boolean merge, List<?> captions) {
        SceneGraph graph = new SceneGraph(synonyms, merge);
        for (Object caption : captions)
            for (Object tuple : (List<?>) caption) {
                ArrayList<String> words = new ArrayList<>();
                for (Object word : (List<?>) tuple) words.add((String) word);
                if (words.size() == 3) Collections.swap(words, 1, 2); // subject, object, relation
                graph.addTuple(words);
            }
        return graph;
    }

    public static void main(String[] arguments) throws Exception {
        boolean synsets = !Arrays.asList(arguments).contains("-noSynsets");
        String folder = Constants.DEFAULT_SYN_DIR_URL + "/english.";
        SynonymDictionary synonyms = new SynonymDictionary(
            new URL(folder + "exceptions"), new URL(folder + "synsets"), new URL(folder + "relations"));
        Map<String, TupleFilter> filters = new LinkedHashMap<>();
        filters.put("object", TupleFilter.objectFilter);
        filters.put("attribute", TupleFilter.attributeFilter);
        filters.put("relation", TupleFilter.relationFilter);
        filters.put("color", TupleFilter.colorFilter);
        filters.put("count", TupleFilter.cardinalityFilter);
        filters.put("size", TupleFilter.sizeFilter);
        SpiceStats stats = new SpiceStats(filters, true);
        List<?> segments = (List<?>) JSONValue.parse(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (Object each : segments) {
            List<?> sides = (List<?>) each;
            SceneGraph test = graph(synonyms, synsets, List.of(sides.get(0)));
            stats.score(0, test, graph(synonyms, synsets, (List<?>) sides.get(1)), synsets);
        }
        new PrintStream(System.out, true, "UTF-8").println(stats.toJSONString());
    }
}
