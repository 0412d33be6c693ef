import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PasswordHasher } from '../../src/sign-in/passwords/password-hasher';
import { addPasswordAccounts, Browser } from '../browser';
import { quantile } from '../directory';
import { type BenchCase, load, median } from '../measure';
import { startService } from '../service';
import { createCategories } from './categories';

const PER_SECOND = 5;
const ACCOUNTS = 200;

/**
 * People who sign in with a password, 5 a second whether or not the ones before are done, beside 32 connections that
 * send ordinary requests as fast as they can; and how many of those are answered with and without them.
 */
export const signInPasswords: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_passwords', 3935);
  await createCategories(service.database);
  const password = randomUUID();
  const hash = await new PasswordHasher().hash(password);
  const emails = await addPasswordAccounts(service.database, 'person', ACCOUNTS, [hash]);
  const categories = {
    name: 'categories',
    url: `${service.url}/v1/mcp/categories`,
    headers: { authorization: `Bearer ${service.token}` },
  };
  let next = 0;
  const one = async (): Promise<number> => {
    const browser = new Browser(service.url);
    const csrf_token = await browser.csrfToken('/sign-in');
    const email = emails[next++ % emails.length] ?? '';
    const { status, ms } = await browser.request('/sign-in', { form: { email, password, csrf_token } });
    if (status !== 303) throw new Error(`A sign-in was answered with ${status}.`);
    return ms;
  };
  try {
    await one();
    await load(categories, 1);
    const [alone, beside, all]: [number[], number[], number[]] = [[], [], []];
    const p95s: number[] = [];
    for (let round = 0; round < settings.rounds; round++) {
      alone.push((await load(categories, settings.seconds)).perSecond);
      const signIns = signInFor(settings.seconds, one);
      beside.push((await load(categories, settings.seconds)).perSecond);
      const times = await signIns;
      all.push(...times);
      p95s.push(quantile(times, 0.95));
    }
    const value = median(beside.map((perSecond, round) => perSecond / (alone[round] ?? NaN)));
    return [
      {
        name: 'sign-in by password, 5 a second, p95',
        median: quantile(all, 0.95),
        unit: 'ms',
        rounds: p95s,
        goal: '≤ 600 ms',
      },
      {
        name: 'categories beside these',
        median: median(beside),
        unit: 'requests/s',
        rounds: beside,
        ratio: { to: 'without them', value },
        goal: '> 0.8',
      },
    ];
  } finally {
    await service.stop();
  }
};

/** @returns how long each took, in milliseconds */
async function signInFor(seconds: number, one: () => Promise<number>): Promise<number[]> {
  const began = performance.now();
  const running: Promise<number>[] = [];
  for (let index = 0; index < seconds * PER_SECOND; index++) {
    running.push(one());
    await sleep(Math.max(0, began + ((index + 1) * 1_000) / PER_SECOND - performance.now()));
  }
  return Promise.all(running);
}
