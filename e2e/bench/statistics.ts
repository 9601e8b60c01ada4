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
