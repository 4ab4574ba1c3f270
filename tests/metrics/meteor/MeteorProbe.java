import edu.cmu.meteor.aligner.Stemmer;
import edu.cmu.meteor.aligner.SynonymDictionary;
import edu.cmu.meteor.util.Constants;
import edu.cmu.meteor.util.Normalizer;
import java.io.*;
import java.net.URL;
import java.util.*;

/** Asks METEOR's own classes: a command and texts in hexadecimal UTF-16 on each line, words or numbers on each answer. */
public class MeteorProbe {
    private static final Map<String, Stemmer> stemmers = new HashMap<>();
    private static SynonymDictionary synonyms;

    private static String decoded(String hex) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < hex.length(); at += 4) text.append((char) Integer.parseInt(hex.substring(at, at + 4), 16));
        return text.toString();
    }

    private static String encoded(String text) {
        StringBuilder hex = new StringBuilder();
        for (char unit : text.toCharArray()) hex.append(Integer.toHexString(0x10000 | unit), 1, 5);
        return hex.toString();
    }

    private static List<String> words(String text) {
        List<String> found = new ArrayList<>();
        for (StringTokenizer rest = new StringTokenizer(text); rest.hasMoreTokens(); ) found.add(encoded(rest.nextToken()));
        return found;
    }

    private static Collection<?> answer(String command, String option, String text) throws Exception {
        switch (command) {
            case "plain":
                return words(text);
            case "lower":
                return words(text.toLowerCase());
            case "norm":
            case "nopunct":
                int language = Constants.getLanguageID(Constants.normLanguageName(option));
                return words(Normalizer.normalizeLine(text, language, command.equals("norm")).toLowerCase());
            case "stem":
                if (!stemmers.containsKey(option))
                    stemmers.put(option, Constants.newStemmer(Constants.normLanguageName(option)));
                return List.of(encoded(stemmers.get(option).stem(text)));
            case "hash":
                return List.of(text.hashCode());
            case "synsets":
                if (synonyms == null) {
                    String folder = Constants.DEFAULT_SYN_DIR_URL + "/english.";
                    synonyms = new SynonymDictionary(
                        new URL(folder + "exceptions"), new URL(folder + "synsets"), new URL(folder + "relations"));
                }
                TreeSet<Integer> sets = new TreeSet<>(synonyms.getSynSets(text));
                sets.addAll(synonyms.getStemSynSets(text));
                return sets;
            default:
                throw new IllegalArgumentException(command);
        }
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split(" ", -1);
            StringJoiner answers = new StringJoiner(" ");
            for (Object item : answer(parts[0], parts[1], decoded(parts[2]))) answers.add(item.toString());
            System.out.println(answers);
        }
    }
}
