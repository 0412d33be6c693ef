import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Sessions } from '../../src/auth/sessions/sessions.service';
import { inTransaction } from '../../src/database/transaction';
import type { TestApp } from './app';

/**
 * Signs a person in, as a sign-in page does.
 *
 * @param provedAt when the person proved who they are; by default now, null: nobody says
 * @returns the headers of a request by the console in their browser
 */
export async function consoleSession(
  test: TestApp,
  userId: string,
  provedAt?: Date | null,
): Promise<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const sessions = test.app.get(Sessions);
  await inTransaction(test.dataSource.manager, (manager) =>
    sessions.start(manager, request, response, { userId, methods: ['pwd'], provedAt, address: '192.0.2.1' }),
  );
  const [cookie = ''] = [response.getHeader('Set-Cookie') ?? []].flat().map(String);
  return { Cookie: cookie.split(';')[0] ?? '', 'Sec-Fetch-Site': 'same-origin', 'X-Toolyard-Console': '1' };
}
