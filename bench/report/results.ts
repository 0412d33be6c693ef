import { spawnSync } from 'node:child_process';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Figure } from '../measure';
import { isMet } from './goal';

/** More are not rounds but single measurements, of which a summary is kept. */
const MAX_ROUNDS = 20;

/** What the figures of a run depend on. Nothing of it names the machine or a folder. */
export interface Conditions {
  /** `2026-11-23`. */
  date: string;
  commit?: string;
  cpu: string;
  cores: number;
  memoryGiB: number;
  system: string;
  node: string;
  postgres: string;
  /** Of a minute, when the run began: above 1, other work was measured as well. */
  load: number;
  rounds: number;
  seconds: number;
}

/** A figure as it is kept. */
export interface Result extends Figure {
  case: string;
  /** Half of the rounds or measurements are at most this far apart if there are many; else all of them. */
  spread: number;
  /** Undefined: there is no goal. */
  isMet?: boolean;
}

/** `bench/results.json`. */
export interface Results {
  conditions: Conditions;
  results: Result[];
  /** Cases that ended with an error. */
  failed: string[];
  /** Cases that were measured again by themselves, and under which conditions. */
  again?: Record<string, Conditions>;
}

/** @param postgres its version */
export function conditionsNow(postgres: string, { rounds, seconds }: { rounds: number; seconds: number }): Conditions {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: __dirname, encoding: 'utf8' });
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: status === 0 ? stdout.trim() : undefined,
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${/^\d+\.\d+/.exec(release())?.[0] ?? ''} ${arch()}`,
    node: process.version,
    postgres,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    rounds,
    seconds,
  };
}

/**
 * @param all a run of all cases
 * @param some a run of some of them
 * @returns all, in the same order, with the figures of these cases from the second run
 */
export function withCases(all: Results, some: Results): Results {
  const measured = [...new Set(some.results.map((result) => result.case))];
  const cases = [...new Set([...all.results.map((result) => result.case), ...measured])];
  return {
    conditions: all.conditions,
    results: cases.flatMap((name) => {
      const { results } = measured.includes(name) ? some : all;
      return results.filter((result) => result.case === name);
    }),
    failed: [...new Set([...all.failed.filter((name) => !measured.includes(name)), ...some.failed])],
    again: { ...all.again, ...Object.fromEntries(measured.map((name) => [name, some.conditions])) },
  };
}

export function resultsOf(name: string, figures: readonly Figure[]): Result[] {
  return figures.map((figure) => ({
    case: name,
    ...figure,
    median: rounded(figure.median),
    ratio: figure.ratio && { ...figure.ratio, value: rounded(figure.ratio.value) },
    rounds: figure.rounds.length > MAX_ROUNDS ? [] : figure.rounds.map(rounded),
    spread: rounded(spreadOf(figure.rounds)),
    isMet: isMet(figure),
  }));
}

function spreadOf(rounds: readonly number[]): number {
  const sorted = [...rounds].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.round((sorted.length - 1) * part)] ?? 0;
  return rounds.length > MAX_ROUNDS ? at(0.75) - at(0.25) : at(1) - at(0);
}

/** What was not measured is not written: nobody reads the seventh digit, and each would be a change in git. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
