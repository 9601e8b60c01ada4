export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The nearest-rank quantile: the value that this share of the values does not exceed. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export interface Estimate {
  value: number;
  /** Bounds of the confidence interval. */
  low: number;
  high: number;
}

const maxError = 0.05;

/**
 * The median with a confidence interval of at least 95 % between two of the sorted values, whatever their distribution
 * (W. J. Conover, Practical Nonparametric Statistics, section 3.2). With fewer than six values, it is
 * their range, which covers less.
 */
export function estimateMedian(values: number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b);
  const outside = countOutside(values.length);
  return {
    value: median(values),
    low: sorted[outside] ?? Number.NaN,
    high: sorted.at(-1 - outside) ?? Number.NaN,
  };
}

/** The number of values at each end that are outside of the interval. */
function countOutside(count: number): number {
  let outside = 0;
  // The probability that exactly `outside` values are below the true median, and that at most `outside` are.
  let exactly = 0.5 ** count;
  let atMost = exactly;
  for (;;) {
    exactly *= (count - outside) / (outside + 1);
    atMost += exactly;
    if (2 * atMost > maxError) {
      return outside;
    }
    outside += 1;
  }
}
