import { randomUUID } from 'node:crypto';
import { PasswordHasher } from '../../src/sign-in/passwords/password-hasher';
import { addPasswordAccounts, addressOf, Browser } from '../browser';
import { kolmogorovSmirnov } from '../kolmogorov-smirnov';
import { type BenchCase, median } from '../measure';
import { settle } from '../directory';
import { startService } from '../service';

const TRIES = 2_000;
const WARM_UP = 100;
/** Accounts have salts of their own, on which the time of argon2id depends; a hundred are enough to show no single one. */
const SALTS = 100;

/**
 * Whether the time of an answer tells if an account exists: 2,000 wrong passwords each for accounts that do and do not,
 * one after the other, alternating. Each try is for another account and, by `X-Forwarded-For`, from another network
 * address, so no counter of failed tries stops it, and both kinds write the same two new rows of counters.
 */
export const signInUnknown: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_unknown', 3936, {
    TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
    RUN: 'api',
  });
  const hasher = new PasswordHasher();
  const hashes: string[] = [];
  while (hashes.length < SALTS) hashes.push(await hasher.hash(randomUUID()));
  const known = await addPasswordAccounts(service.database, 'member', TRIES + WARM_UP, hashes);
  await settle(service.database);
  const browser = new Browser(service.url);
  const csrf_token = await browser.csrfToken('/sign-in');
  const password = randomUUID();
  let tries = 0;
  const attempt = async (email: string): Promise<number> => {
    const number = tries++;
    const address = `10.0.${number >> 8}.${number & 255}`;
    const headers = { 'x-forwarded-for': address };
    const { status, ms } = await browser.request('/sign-in', { form: { email, password, csrf_token }, headers });
    if (status !== 422) throw new Error(`A try was answered with ${status}.`);
    return ms;
  };
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  try {
    for (let index = 0; index < TRIES + WARM_UP; index++) {
      const both = [
        ['known', known[index] ?? ''],
        ['unknown', addressOf('nobody', index)],
      ] as const;
      // Neither kind is always the first of a pair: what one leaves behind is then the same for both.
      for (const [kind, email] of index % 2 === 0 ? both : [...both].reverse()) {
        const ms = await attempt(email);
        if (index >= WARM_UP) times[kind].push(ms);
      }
    }
  } finally {
    await service.stop();
  }
  const { distance, p } = kolmogorovSmirnov(times.known, times.unknown);
  const value = median(times.known) / median(times.unknown);
  return [
    {
      name: 'wrong password, known account',
      median: median(times.known),
      unit: 'ms',
      rounds: times.known,
      ratio: { to: 'unknown account', value },
      goal: '0.98 to 1.02',
    },
    { name: 'wrong password, unknown account', median: median(times.unknown), unit: 'ms', rounds: times.unknown },
    { name: 'the same, Kolmogorov–Smirnov p', median: p, unit: '', rounds: [distance, p], goal: '> 0.05' },
  ];
};
