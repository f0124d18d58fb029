import { RandomNumbers } from "./randomNumbers";
import type { RunDistances } from "./runDistances";
import { largestIn, smallestIn } from "../../model/longLists";

/** Runs in the plane; distances in it are as near as can be to those that were given. */
export interface RunPlane {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The eigenvalues of the two axes, largest first; 0 where there is no positive one. */
  readonly eigenvalues: readonly [number, number];
}

/** Eigenvalues below this part of the largest size are rounding: their axis is missing. */
const NO_AXIS = 1e-10;

/** A pair is found when what is left of it is below this part of the largest eigenvalue's size. */
const CONVERGED = 1e-13;

/** Any number would do; the same one gives the same axes again. */
const SEED = 1952;

/** Coordinates of one size but for rounding. */
const SAME_SIZE = 1e-9;

/**
 * Classical scaling (Torgerson, "Multidimensional scaling: I. Theory and method", Psychometrika 17 (1952)): eigenvectors of
 * B = −½ J D² J, J = 1 − 1/n, to the two largest positive eigenvalues, each as long as the root of its eigenvalue. Each axis is turned
 * so that its coordinate of largest size is positive, the first run's where several are equal.
 *
 * Only two eigenvectors of all are wanted, so they are found by the Lanczos process with full reorthogonalisation (Golub and Van Loan,
 * "Matrix Computations", 4th edition, section 10.3), one after the other: the second one across the first, so that equal eigenvalues,
 * which one start vector does not tell apart, are both found. A thousand runs take a fraction of a second, all eigenvectors half a minute.
 */
export function classicalScaling({ runs, squared }: RunDistances): RunPlane {
  const centred = doubleCentred(squared, runs);
  const first = largestEigenpair(centred, runs, []);
  const second = largestEigenpair(centred, runs, [first.vector]);
  // The size of the matrix: the root of the sum of its squares is at least that of any eigenvalue.
  const least = NO_AXIS * Math.sqrt(dot(centred, centred));
  const eigenvalues = [first, second].map(({ value }) => (value > least ? value : 0));
  const [x, y] = [first, second].map(({ vector }, axis) => turned(vector, Math.sqrt(eigenvalues[axis])));
  return { x, y, eigenvalues: [eigenvalues[0], eigenvalues[1]] };
}

/** −½ J D² J: half of (row mean + column mean − mean of all − squared distance). */
function doubleCentred(squared: Float64Array, runs: number): Float64Array {
  const means = Float64Array.from({ length: runs }, (_, row) => {
    let sum = 0;
    for (let at = row * runs; at < (row + 1) * runs; at++) sum += squared[at];
    return sum / runs;
  });
  const mean = means.reduce((sum, value) => sum + value, 0) / Math.max(1, runs);
  return squared.map((value, at) => (means[Math.floor(at / runs)] + means[at % runs] - mean - value) / 2);
}

interface Eigenpair {
  readonly value: number;
  /** Of length 1; zeros where there is none. */
  readonly vector: Float64Array;
}

/** The pair of the largest (not: of largest size) eigenvalue across the vectors `known`. */
function largestEigenpair(matrix: Float64Array, size: number, known: readonly Float64Array[]): Eigenpair {
  const scale = Math.sqrt(dot(matrix, matrix));
  if (!(scale > 0)) return { value: 0, vector: new Float64Array(size) };
  const random = new RandomNumbers(SEED + known.length);
  const start = Float64Array.from({ length: size }, () => random.below(2 ** 20) / 2 ** 20 - 0.5);
  const basis: Float64Array[] = [];
  const [diagonal, beside]: [number[], number[]] = [[], []];
  let next: Float64Array | undefined = lengthOne(across(across(start, known), known));
  let ritz: { readonly value: number; readonly weights: Float64Array } = { value: 0, weights: new Float64Array() };
  while (next !== undefined && basis.length < size - known.length) {
    basis.push(next);
    const image = times(matrix, next);
    diagonal.push(dot(image, next));
    // Twice is enough (Parlett, "The Symmetric Eigenvalue Problem", 1998, section 6.9): rounding else brings found vectors back.
    const rest = across(across(image, [...known, ...basis]), [...known, ...basis]);
    const length = Math.sqrt(dot(rest, rest));
    // Every tenth step is looked at: what is asked for is in sight only after many.
    const isLast = length <= CONVERGED * scale || basis.length === size - known.length;
    if (isLast || basis.length % 10 === 0) {
      ritz = largestOfTridiagonal(diagonal, beside, scale);
      if (isLast || length * Math.abs(ritz.weights[ritz.weights.length - 1]) <= CONVERGED * scale) break;
    }
    beside.push(length);
    next = rest.map((value) => value / length);
  }
  const vector = new Float64Array(size);
  ritz.weights.forEach((weight, step) => {
    for (let at = 0; at < size; at++) vector[at] += weight * basis[step][at];
  });
  return { value: ritz.value, vector: lengthOne(vector) ?? vector };
}

/**
 * The largest eigenvalue of a symmetric tridiagonal matrix, by halving where Sturm's sequence says how many are larger, and its
 * eigenvector by inverse iteration (Golub and Van Loan, sections 8.4.1 and 8.2.2).
 *
 * @param scale what rounding is measured by
 */
function largestOfTridiagonal(diagonal: readonly number[], beside: readonly number[], scale: number) {
  const size = diagonal.length;
  const reach = diagonal.map((_, at) => Math.abs(beside[at - 1] ?? 0) + Math.abs(at < size - 1 ? beside[at] : 0));
  let low = smallestIn(diagonal.map((value, at) => value - reach[at]));
  let high = largestIn(diagonal.map((value, at) => value + reach[at]));
  for (let halving = 0; halving < 200; halving++) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (isAboveAll(diagonal, beside, middle)) high = middle;
    else low = middle;
  }
  // Above the eigenvalue by a rounding, all pivots are negative and none is near 0.
  const shift = high + 4 * Number.EPSILON * Math.max(Math.abs(high), scale);
  let weights: Float64Array = new Float64Array(size).fill(1);
  for (let step = 0; step < 4; step++) {
    const pivots = new Float64Array(size);
    for (let at = 0; at < size; at++) {
      const factor = at === 0 ? 0 : beside[at - 1] / pivots[at - 1];
      pivots[at] = diagonal[at] - shift - (at === 0 ? 0 : factor * beside[at - 1]);
      if (at > 0) weights[at] -= factor * weights[at - 1];
    }
    for (let at = size - 1; at >= 0; at--)
      weights[at] = (weights[at] - (at < size - 1 ? beside[at] * weights[at + 1] : 0)) / pivots[at];
    weights = lengthOne(weights) ?? weights;
  }
  return { value: high, weights };
}

/** Whether a number is larger than all eigenvalues: all pivots of the matrix minus it are negative. */
function isAboveAll(diagonal: readonly number[], beside: readonly number[], value: number): boolean {
  let pivot = -1;
  for (let at = 0; at < diagonal.length; at++) {
    pivot = diagonal[at] - value - (at === 0 ? 0 : beside[at - 1] ** 2 / pivot);
    if (pivot >= 0) return false;
  }
  return true;
}

function times(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  const image = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let sum = 0;
    for (let column = 0, at = row * size; column < size; column++, at++) sum += matrix[at] * vector[column];
    image[row] = sum;
  }
  return image;
}

/** What is left of a vector without its parts along `others`, which are of length 1 and across each other. */
function across(vector: Float64Array, others: readonly Float64Array[]): Float64Array {
  const rest = vector.slice();
  for (const other of others) {
    const along = dot(rest, other);
    for (let at = 0; at < rest.length; at++) rest[at] -= along * other[at];
  }
  return rest;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}

function lengthOne(vector: Float64Array): Float64Array | undefined {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (!(largest > 0)) return undefined;
  // Scaled first, as squares may leave the range of numbers.
  const scaled = vector.map((value) => value / largest);
  const length = Math.sqrt(dot(scaled, scaled));
  return scaled.map((value) => value / length);
}

/** An axis of a length, by the rule of signs. */
function turned(vector: Float64Array, length: number): Float64Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const leading = vector.find((value) => Math.abs(value) >= largest * (1 - SAME_SIZE)) ?? 1;
  const sign = leading < 0 ? -1 : 1;
  // Adding 0 makes 0 of -0.
  return vector.map((value) => value * length * sign + 0);
}
