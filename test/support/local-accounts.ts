import { Passwords } from '../../src/sign-in/passwords/passwords.service';
import { SetUpTokens } from '../../src/sign-in/set-up/set-up-tokens';
import { Accounts } from '../../src/users/accounts.service';
import type { TestApp } from './app';
import { PageBrowser } from './page-browser';

export const PASSWORD = 'seven green bicycles sleep';

/** Makes an account with a password, as an invitation does. */
export async function createLocalAccount(
  { app, dataSource }: TestApp,
  email: string,
  password = PASSWORD,
): Promise<string> {
  const hash = await app.get(Passwords).hash(password);
  return dataSource.transaction(async (manager) => {
    const { id } = await app.get(Accounts).forVouchedEmail(manager, email, email.split('@')[0]);
    await app.get(Passwords).store(manager, id, hash);
    return id;
  });
}

/** @returns a browser in which the account of the address is signed in */
export async function signedIn(test: TestApp, email: string, url = test.url): Promise<PageBrowser> {
  const browser = new PageBrowser(url);
  const answer = await browser.submit('/sign-in', { email, password: PASSWORD });
  if (answer.status !== 303) throw new Error(`The sign-in answered ${answer.status}: ${answer.text}`);
  return browser;
}

/** @returns the token of a new link to the set-up page */
export async function setUpToken({ app }: TestApp): Promise<string> {
  const link = await app.get(SetUpTokens).newLink({ replacing: false });
  return link.split('#')[1] ?? '';
}
