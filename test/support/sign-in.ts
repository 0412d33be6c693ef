import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { DataSource } from 'typeorm';
import { Sessions } from '../../src/auth/sessions/sessions.service';
import { newId } from '../../src/database/id';
import { inTransaction } from '../../src/database/transaction';
import { User } from '../../src/users/user.entity';
import type { TestApp } from './app';
import { FollowingBrowser, type Shown } from './following-browser';

/** A person with an account, who is signed in to the console in a browser. */
export interface SignedIn {
  userId: string;
  email: string;
  browser: FollowingBrowser;
}

/** Makes an account. */
export async function createPerson(test: TestApp, name: string): Promise<{ userId: string; email: string }> {
  const [userId, email] = [newId(), `${name}@example.com`];
  await test.dataSource
    .getRepository(User)
    .insert({ id: userId, email, emailAt: new Date(), name, claimedAt: new Date() });
  return { userId, email };
}

/** Signs a person in, as the sign-in page does once it has checked the password. */
export async function startSession(test: TestApp, browser: FollowingBrowser, userId: string): Promise<void> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  await inTransaction(test.app.get(DataSource), (manager) =>
    test.app.get(Sessions).start(manager, request, response, { userId, methods: ['pwd'], address: '192.0.2.1' }),
  );
  const [pair = ''] = String([response.getHeader('set-cookie')].flat()[0]).split(';');
  const [cookie = '', secret = ''] = pair.split('=');
  browser.setCookie(cookie, secret);
}

/** @param replicas each request of the browser goes to the next one */
export async function signIn(
  test: TestApp,
  name: string,
  replicas: readonly Pick<TestApp, 'url'>[] = [test],
): Promise<SignedIn> {
  const person = await createPerson(test, name);
  const browser = new FollowingBrowser(replicas);
  await startSession(test, browser, person.userId);
  return { ...person, browser };
}

/** Opens an authorization request and allows it if asked. @returns where the client is answered */
export async function authorize(browser: FollowingBrowser, address: URL): Promise<URL> {
  return (await allowed(browser, await browser.open(address))).url;
}

/** Presses Allow if the page asks for consent. */
export function allowed(browser: FollowingBrowser, page: Shown): Promise<Shown> {
  return page.text.includes('<h1>Allow access?</h1>')
    ? browser.submit(page, { decision: 'allow' })
    : Promise.resolve(page);
}
