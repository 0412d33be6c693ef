/** The result of a two-sample test. */
export interface KolmogorovSmirnov {
  /** The largest distance between the two empirical distribution functions. */
  distance: number;
  /** How likely a distance at least as large is if both samples come from one distribution. */
  p: number;
}

/**
 * The two-sample Kolmogorov–Smirnov test. The p-value is the asymptotic one with Stephens' correction for finite samples
 * (M. A. Stephens, J. R. Stat. Soc. B 32, 1970; Numerical Recipes, third edition, section 14.3.3):
 * Q(λ) = 2 Σ (−1)^(k−1) e^(−2 k² λ²), λ = (√n + 0.12 + 0.11/√n) D, n = n₁n₂/(n₁+n₂).
 */
export function kolmogorovSmirnov(one: readonly number[], other: readonly number[]): KolmogorovSmirnov {
  const [a, b] = [one, other].map((values) => [...values].sort((x, y) => x - y)) as [number[], number[]];
  let [i, j, distance] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i] ?? NaN, b[j] ?? NaN);
    while (i < a.length && a[i] === value) i++;
    while (j < b.length && b[j] === value) j++;
    distance = Math.max(distance, Math.abs(i / a.length - j / b.length));
  }
  const root = Math.sqrt((a.length * b.length) / (a.length + b.length));
  const lambda = (root + 0.12 + 0.11 / root) * distance;
  // Below, the series converges too slowly, and its sum is 1 to seven digits.
  if (lambda < 0.3) return { distance, p: 1 };
  let p = 0;
  for (let k = 1; k <= 100; k++) p += 2 * (-1) ** (k - 1) * Math.exp(-2 * k * k * lambda * lambda);
  return { distance, p: Math.min(1, Math.max(0, p)) };
}
