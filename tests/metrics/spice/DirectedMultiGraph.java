package edu.stanford.nlp.graph;

import edu.stanford.nlp.util.MapFactory;
import java.util.*;

/** A directed graph that keeps vertices and edges in the order of its maps. */
public class DirectedMultiGraph<V, E> {
    private final MapFactory<V, Map<V, List<E>>> outer;
    private final MapFactory<V, List<E>> inner;
    private final Map<V, Map<V, List<E>>> leaving;

    public DirectedMultiGraph(MapFactory<V, Map<V, List<E>>> outer, MapFactory<V, List<E>> inner) {
        this.outer = outer;
        this.inner = inner;
        this.leaving = outer.newMap();
    }

    public boolean addVertex(V vertex) {
        if (leaving.containsKey(vertex)) return false;
        leaving.put(vertex, inner.newMap());
        return true;
    }

    public void add(V source, V target, E edge) {
        addVertex(source);
        addVertex(target);
        leaving.get(source).computeIfAbsent(target, key -> new ArrayList<>()).add(edge);
    }

    public Set<V> getAllVertices() {
        return leaving.keySet();
    }

    public List<E> getAllEdges() {
        List<E> edges = new ArrayList<>();
        for (Map<V, List<E>> targets : leaving.values()) for (List<E> some : targets.values()) edges.addAll(some);
        return edges;
    }
}
