/**
 * Where marks of a topology are drawn: all push each other away (Barnes and Hut 1986, as d3-force has it), links pull, and nothing overlaps. The
 * same question has the same answer: the forces use no chance, and are carried on until they are at rest.
 */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from "d3-force";
import type { Task } from "../../model/task";
import { Pace } from "../../source/pace";
import type { TopologyLayout, TopologyLayoutQuery } from "./resourceApi";

/** In diameters of the largest mark: how far apart linked marks are, and the least distance of any two. */
const LINK = 1.35;
const APART = 0.74;
const PUSH = -0.55;
/** To the middle: what nothing links stays in sight. */
const MIDDLE = 0.07;
/** Steps to rest: of thousands of marks each takes long, and a rough place is as good. */
const STEPS = 300;
const FEWEST_STEPS = 90;
const STEP_WORK = 300_000;
/** What was somewhere before moves on from there, slowly. */
const KNOWN_ALPHA = 0.3;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

interface Body extends SimulationNodeDatum {
  x: number;
  y: number;
}

/** On a ring: the least distance of neighbours, whose corners may face each other, and the least radius. */
const BESIDE = 1.35;
const LEAST_RADIUS = 3.2;

/** Marks on a ring around the middle, clockwise from the top in their order. */
function ringOf(count: number): TopologyLayout {
  const radius = Math.max(LEAST_RADIUS, (BESIDE * count) / (2 * Math.PI));
  const angle = (at: number) => (2 * Math.PI * (at + 0.5)) / count - Math.PI / 2;
  const places = Float64Array.from({ length: count }, (_, at) => angle(at));
  return { x: places.map((at) => radius * Math.cos(at)), y: places.map((at) => radius * Math.sin(at)) };
}

/** @throws CancelledError */
export async function layTopologyOut(query: TopologyLayoutQuery, task: Task): Promise<TopologyLayout> {
  if (query.isRing) return ringOf(query.count);
  const { count, from, to, isPinned } = query;
  const bodies = beginnings(query);
  bodies.forEach((body, at) => {
    if (isPinned[at]) [body.fx, body.fy] = [body.x, body.y];
  });
  const links = Array.from(from, (source, at) => ({ source, target: to[at] }));
  const steps = Math.max(FEWEST_STEPS, Math.min(STEPS, Math.round(STEP_WORK / Math.max(1, count))));
  const isKnown = bodies.some((_, at) => !Number.isNaN(query.x[at]));
  const simulation = forceSimulation<Body>(bodies)
    .stop()
    .alpha(isKnown ? KNOWN_ALPHA : 1)
    .alphaDecay(1 - Math.pow(0.001, 1 / steps))
    .force("push", forceManyBody<Body>().strength(PUSH).theta(0.9).distanceMax(60))
    .force("links", forceLink<Body, { source: number | Body; target: number | Body }>(links).distance(LINK))
    .force("apart", forceCollide<Body>(APART).iterations(2))
    .force("x", forceX<Body>(0).strength(MIDDLE))
    .force("y", forceY<Body>(0).strength(MIDDLE));
  const pace = new Pace(task);
  for (let step = 0; step < steps; step++) {
    task.progress(step / steps, "Laying the topology out");
    await pace.breathe();
    simulation.tick();
  }
  return { x: Float64Array.from(bodies, ({ x }) => x), y: Float64Array.from(bodies, ({ y }) => y) };
}

/** Where marks were; others beside their group, or where groups lie on a spiral, in their order. */
function beginnings({ count, group, x, y }: TopologyLayoutQuery): Body[] {
  const middles = new Map<number, { x: number; y: number; count: number }>();
  for (let at = 0; at < count; at++) {
    if (Number.isNaN(x[at])) continue;
    const middle = middles.get(group[at]) ?? { x: 0, y: 0, count: 0 };
    middles.set(group[at], { x: middle.x + x[at], y: middle.y + y[at], count: middle.count + 1 });
  }
  return Array.from({ length: count }, (_, at): Body => {
    if (!Number.isNaN(x[at])) return { x: x[at], y: y[at] };
    const middle = middles.get(group[at]);
    // A spiral on which places are as far apart as marks: neighbours in order are neighbours in place.
    const radius = (middle ? 0.3 : 1) * Math.sqrt(0.5 + at);
    const near = middle ? { x: middle.x / middle.count, y: middle.y / middle.count } : { x: 0, y: 0 };
    return { x: near.x + radius * Math.cos(at * GOLDEN), y: near.y + radius * Math.sin(at * GOLDEN) };
  });
}
