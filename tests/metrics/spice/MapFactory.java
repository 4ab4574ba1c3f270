package edu.stanford.nlp.util;

import java.util.LinkedHashMap;
import java.util.Map;

/** Makes maps. CoreNLP's are hash maps, whose order is any; here it is that of insertion, so that a run can be repeated. */
public class MapFactory<K, V> {
    public static <K, V> MapFactory<K, V> hashMapFactory() {
        return new MapFactory<>();
    }

    public Map<K, V> newMap() {
        return new LinkedHashMap<>();
    }
}
