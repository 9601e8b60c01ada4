import { ExpressionError } from './expression-tokens.ts';

const constants: Readonly<Record<string, number>> = {
  pi: Math.PI,
  e: Math.E,
  tau: 2 * Math.PI,
};

interface Formula {
  minValues: number;
  maxValues: number;
  compute(...values: number[]): number;
}

const one = (compute: (value: number) => number): Formula => ({
  minValues: 1,
  maxValues: 1,
  compute,
});
const two = (compute: (first: number, second: number) => number): Formula => ({
  minValues: 2,
  maxValues: 2,
  compute: (first = 0, second = 0) => compute(first, second),
});
const many = (compute: (...values: number[]) => number): Formula => ({
  minValues: 1,
  maxValues: Number.POSITIVE_INFINITY,
  compute,
});
const sum = (...values: number[]) => values.reduce((total, value) => total + value, 0);

const functions: ReadonlyMap<string, Formula> = new Map([
  ['abs', one(Math.abs)],
  ['sqrt', one(Math.sqrt)],
  ['cbrt', one(Math.cbrt)],
  ['exp', one(Math.exp)],
  ['ln', one(Math.log)],
  ['log10', one(Math.log10)],
  ['log2', one(Math.log2)],
  ['log', two((value, base) => Math.log(value) / Math.log(base))],
  ['sin', one(Math.sin)],
  ['cos', one(Math.cos)],
  ['tan', one(Math.tan)],
  ['asin', one(Math.asin)],
  ['acos', one(Math.acos)],
  ['atan', one(Math.atan)],
  ['atan2', two(Math.atan2)],
  ['floor', one(Math.floor)],
  ['ceil', one(Math.ceil)],
  ['trunc', one(Math.trunc)],
  ['sign', one(Math.sign)],
  ['round', { minValues: 1, maxValues: 2, compute: roundTo }],
  ['mod', two(remainder)],
  ['pow', two((base, exponent) => base ** exponent)],
  ['min', many(Math.min)],
  ['max', many(Math.max)],
  ['sum', many(sum)],
  ['mean', many((...values) => sum(...values) / values.length)],
  ['median', many(median)],
]);

export const functionNames = [...functions.keys()];

/** Throws `ExpressionError` if unknown. */
export function getConstant(name: string): number {
  const value = Object.hasOwn(constants, name) ? constants[name] : undefined;
  if (value === undefined) {
    const known = functions.has(name) ? `${name} is a function: ${name}(…).` : unknown(name);
    throw new ExpressionError(known);
  }
  return value;
}

/** Throws `ExpressionError` if unknown, or if it takes a different number of arguments. */
export function callFunction(name: string, values: readonly number[]): number {
  const formula = functions.get(name);
  if (!formula) {
    throw new ExpressionError(unknown(name));
  }
  if (values.length < formula.minValues || values.length > formula.maxValues) {
    throw new ExpressionError(`${name} does not take ${values.length} values.`);
  }
  return formula.compute(...values);
}

function unknown(name: string): string {
  return `There is no "${name}". Constants: pi, e, tau. Functions: ${functionNames.join(', ')}.`;
}

/** @param sign `/`, or `%` for the remainder */
export function divide(value: number, by: number, sign: string): number {
  if (by === 0) {
    throw new ExpressionError('It divides by zero.');
  }
  return sign === '/' ? value / by : remainder(value, by);
}

/** Has the sign of the divisor: remainder(-1, 7) is 6. */
function remainder(value: number, by: number): number {
  return value - by * Math.floor(value / by);
}

export function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 170) {
    throw new ExpressionError('A factorial is of a whole number from 0 to 170.');
  }
  let product = 1;
  for (let factor = 2; factor <= value; factor += 1) {
    product *= factor;
  }
  return product;
}

/** Rounds half away from zero; 1.005 to 2 digits is 1.01 despite its binary representation. */
function roundTo(value = 0, digits = 0): number {
  if (!Number.isInteger(digits) || Math.abs(digits) > 15) {
    throw new ExpressionError('round takes a number of digits from -15 to 15.');
  }
  const shifted = Number(`${Math.abs(value).toPrecision(15)}`) * 10 ** digits;
  const whole = Math.round(Number(shifted.toPrecision(15)));
  return Math.sign(value) * Number((whole / 10 ** digits).toPrecision(15));
}

function median(...values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2;
}
