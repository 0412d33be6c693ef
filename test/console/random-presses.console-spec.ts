import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { addAdministration, type Administration } from '../support/console-scene-administration';
import { screensOf } from '../support/console-screens';

/** `PRESS_MINUTES=10` before a release. */
const MINUTES = Number(process.env['PRESS_MINUTES'] ?? '1');
const SEED = Number(process.env['PRESS_SEED'] ?? '39');
/** So few that all screens take about three minutes, and the heap is measured twice in the second half of ten. */
const PRESSES_PER_SCREEN = 8;
const CONTROLS =
  'button, a[href^="/console"], [role="tab"], [role="menuitem"], [role="option"], input, select, textarea, summary';
/** These leave the console, or end the session for all that follows. */
const LEAVES = /sign out|everywhere|documentation|delete my account/i;

describeInBrowser('Controls of the console that are pressed at random', () => {
  let scene: ConsoleScene & Administration;
  let browser: Browser;

  beforeAll(async () => {
    const people = await createConsoleScene();
    scene = { ...people, ...(await addAdministration(people)) };
    // V8 compiles more of the page as it runs, megabytes in ten minutes, and counts that as heap: it is nothing that the page keeps.
    browser = await openChromium(['--js-flags=--jitless']);
  });

  afterAll(async () => {
    await browser.close();
    await scene.close();
  });

  it(
    `throw nothing and lead to no dead end in ${MINUTES} minutes, and the heap stays as it is`,
    async () => {
      const random = generator(SEED);
      const visitor = await Visitor.arrive(browser, scene.origin);
      await visitor.signIn(PEOPLE.lead);
      const { page } = visitor;
      page.on('dialog', (dialog) => void dialog.accept());
      const screens = screensOf(scene);
      /** In bytes, each with the minute in which it was measured. */
      const heaps: { minute: number; bytes: number }[] = [];
      const faults: string[] = [];
      const session = await visitor.context.newCDPSession(page);
      const from = Date.now();
      const until = from + MINUTES * 60_000;
      let trail: string[] = [];
      for (let round = 0; Date.now() < until; round++) {
        const screen = screens[round % screens.length];
        if (!screen) continue;
        await page.evaluate(goTo(screen.path));
        const heading = page.locator('#content h1');
        const isThere = await heading.waitFor().then(
          () => true,
          () => false,
        );
        if (!isThere) {
          faults.push(`nothing at ${page.url()} after ${trail.join(' → ')}: ${await page.innerText('body')}`);
          await visitor.open(screen.path);
          await heading.waitFor();
        }
        trail = [];
        for (let press = 0; press < PRESSES_PER_SCREEN; press++) {
          const controls = page.locator(CONTROLS).filter({ visible: true });
          const count = await controls.count();
          if (count === 0) faults.push(`dead end after ${screen.path}: ${trail.join(' → ')}`);
          const control = controls.nth(Math.floor(random() * count));
          const name = await nameOf(control).catch(() => '');
          if (LEAVES.test(name)) continue;
          trail.push(name);
          await control.click({ timeout: 1_000, noWaitAfter: true }).catch(() => undefined);
          if (random() < 0.2) await page.keyboard.press('Escape');
          if (random() < 0.2) await page.keyboard.type('a');
        }
        if (!new URL(page.url()).pathname.startsWith('/console/'))
          faults.push(`left at ${page.url()}: ${trail.join(' → ')}`);
        if (round % screens.length === screens.length - 1) {
          await session.send('HeapProfiler.collectGarbage');
          const bytes = await page.evaluate<number>('performance.memory.usedJSHeapSize');
          heaps.push({ minute: (Date.now() - from) / 60_000, bytes });
        }
        const thrown = visitor.complaints.filter((complaint) => /^exception|policy|elsewhere/i.test(complaint));
        faults.push(...thrown.map((complaint) => `${screen.path}, ${trail.join(' → ')}: ${complaint}`));
        visitor.complaints.length = 0;
      }
      await visitor.context.close();
      expect(faults).toEqual([]);
      expect(growthOf(heaps)).toBeLessThanOrEqual(1.1);
    },
    (MINUTES + 2) * 60_000,
  );
});

/** For so long answers are kept after the last screen that showed them, so that the heap grows at first. */
const KEPT_MINUTES = 5;

/** @returns how many times as large the heap is at the end; its first measurement in a run that is shorter than what is kept */
function growthOf(heaps: readonly { minute: number; bytes: number }[]): number {
  const first = heaps.find(({ minute }) => minute >= KEPT_MINUTES) ?? heaps[0];
  const last = heaps.at(-1);
  process.stdout.write(`Heap in MB: ${heaps.map(({ bytes }) => (bytes / 1e6).toFixed(1)).join(' ')}\n`);
  if (MINUTES > KEPT_MINUTES && first === last)
    throw new Error('Too slow to measure the heap twice: it may have grown.');
  return first && last ? last.bytes / first.bytes : 1;
}

/** Goes to a screen as a link does: the page stays, so that what it keeps is seen in the heap. */
const goTo = (path: string) =>
  `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'));`;

/** What a control is called. */
async function nameOf(control: Locator): Promise<string> {
  const limits = { timeout: 1_000 };
  const name = (await control.getAttribute('aria-label', limits)) ?? (await control.textContent(limits)) ?? '';
  return name.slice(0, 60);
}

/** Mulberry32: the same presses for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
