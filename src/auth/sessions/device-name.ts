/**
 * The first that fits: browsers on another's engine name that one, too, and Chrome is named by most. Without a word
 * boundary before it, so that `HeadlessChrome/` is one.
 */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/(?:OPR|OPX|OPT|Opera)\//, 'Opera'],
  [/Vivaldi\//, 'Vivaldi'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/YaBrowser\//, 'Yandex Browser'],
  [/(?:DuckDuckGo|Ddg)\//, 'DuckDuckGo'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/Chromium\//, 'Chromium'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\b(?:Free|Open|Net)BSD\b/, 'BSD'],
  [/\bLinux\b/, 'Linux'],
];

/** What every browser says, whatever it is (RFC 9110, section 10.1.5, and history). */
const SAID_BY_ALL = /^(?:Mozilla|AppleWebKit|Gecko|KHTML|Version|Mobile|Safari)\//;
const MAX_LENGTH = 60;

/**
 * @param agent the `User-Agent` of a sign-in; anybody can send anything there
 * @returns words by which a person recognises the browser: `Firefox on Linux`; for other clients what they call
 *   themselves, shortened
 */
export function deviceName(agent: string): string {
  const [browser, system] = [BROWSERS, SYSTEMS].map((known) => known.find(([form]) => form.test(agent))?.[1]);
  const name = browser ?? nameIn(agent);
  return system === undefined ? name : `${name} on ${system}`;
}

/** The product in which an unknown client differs from all others; the whole text if it has another form. */
function nameIn(agent: string): string {
  const text = agent.trim();
  if (text === '') return 'An unknown browser';
  if (!text.startsWith('Mozilla/')) return Array.from(text).slice(0, MAX_LENGTH).join('');
  const products = text.replace(/\([^)]*\)/g, ' ').match(/[^\s/]+\/[^\s/]*/g) ?? [];
  const product = products.findLast((words) => !SAID_BY_ALL.test(words))?.split('/')[0] ?? '';
  return product === '' ? 'An unknown browser' : Array.from(product).slice(0, MAX_LENGTH).join('');
}
