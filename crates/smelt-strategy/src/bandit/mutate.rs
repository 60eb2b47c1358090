//! The grammar-preserving mutator: a construct stands for another one of its kind.

use rand_chacha::ChaCha8Rng;

use super::instance::{Instance, Node};
use super::language::Language;

impl Language {
    /// Where a construct may be put: the numbers of constructs of its kind that are not that one.
    pub fn places(&self, instance: &Instance, construct: usize) -> Vec<usize> {
        let mut places = Vec::new();
        instance.walk(&mut |at, _, n| {
            if at != construct && self.constructs[at].sort == self.constructs[construct].sort {
                places.push(n);
            }
        });
        places
    }

    /// The constructs that can be put somewhere.
    pub fn possible(&self, instance: &Instance) -> Vec<usize> {
        let mut seen: Vec<Option<usize>> = vec![None; self.leaves.len()];
        let mut mixed = vec![false; self.leaves.len()];
        instance.walk(&mut |at, _, _| {
            let sort = self.constructs[at].sort;
            match seen[sort] {
                Some(other) if other != at => mixed[sort] = true,
                _ => seen[sort] = Some(at),
            }
        });
        let can = |&i: &usize| {
            let c = &self.constructs[i];
            c.weight > 0.0 && (mixed[c.sort] || seen[c.sort].is_some_and(|other| other != i))
        };
        (0..self.constructs.len()).filter(can).collect()
    }

    /// The instance with a construct put at a place: arguments that fit stay, from the left; the others are dropped, and what is lacking
    /// grows.
    pub fn mutate(
        &self,
        instance: &Instance,
        construct: usize,
        place: usize,
        random: &mut ChaCha8Rng,
    ) -> Instance {
        let mut made = instance.clone();
        let mut left = place;
        let depth = made.depth;
        for root in &mut made.roots {
            if self.put(root, construct, depth, &mut left, random) {
                break;
            }
        }
        made
    }

    /// Puts a construct at a place below a node; false if the place is not there, and then so many fewer are left.
    fn put(
        &self,
        node: &mut Node,
        construct: usize,
        levels: u32,
        left: &mut usize,
        random: &mut ChaCha8Rng,
    ) -> bool {
        let Node::On(_, args) = node else { return false };
        if *left > 0 {
            *left -= 1;
            let below = levels.saturating_sub(1);
            return args.iter_mut().any(|a| self.put(a, construct, below, left, random));
        }
        let old = std::mem::take(args);
        let shape = self.shape_for(construct, &old);
        let mut kept = old.into_iter().map(Some).collect::<Vec<_>>();
        let mut from = 0;
        let mut new = Vec::with_capacity(shape.len());
        for (i, &sort) in shape.iter().enumerate() {
            let fits = |n: &Option<Node>| n.as_ref().is_some_and(|n| self.sort_of(n) == sort);
            let found = match self.wants_value(construct, shape.len(), i) {
                true => None,
                false => (from..kept.len()).find(|&k| fits(&kept[k])),
            };
            new.push(match found.and_then(|k| kept[k].take().map(|n| (k, n))) {
                Some((k, node)) => {
                    from = k + 1;
                    node
                }
                None => self.grow_argument(construct, &shape, i, levels, random),
            });
        }
        *node = Node::On(construct, new);
        true
    }

    /// The shape of a construct that keeps most of some arguments; the first of several.
    fn shape_for(&self, construct: usize, args: &[Node]) -> Vec<usize> {
        let kept = |shape: &Vec<usize>| {
            let mut from = 0;
            let fits = |&&sort: &&usize| {
                let found = (from..args.len()).find(|&k| self.sort_of(&args[k]) == sort);
                found.inspect(|k| from = k + 1).is_some()
            };
            shape.iter().filter(fits).count()
        };
        let shapes = &self.constructs[construct].shapes;
        let best = shapes.iter().enumerate().max_by_key(|(i, s)| (kept(s), usize::MAX - i));
        best.map(|(_, s)| s.clone()).unwrap_or_default()
    }

    fn sort_of(&self, node: &Node) -> usize {
        match node {
            Node::Leaf(sort, _) => *sort,
            Node::On(construct, _) => self.constructs[*construct].sort,
        }
    }
}
