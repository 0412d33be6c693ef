import { type Answer, HttpClient } from './client';
import type { Ledger } from './ledger';
import type { Postgres } from './postgres';
import type { Stack } from './stack';

const EVENTS = ['bundle.created', 'bundle.updated', 'bundle.deleted'];
const ORGANISATIONS = 4;
/** In each organisation. */
const ROWS = 25;
const ACCOUNTS = 20;
const ADMIN = 'admin@example.com';
export const PASSWORD = 'seven green bicycles sleep';

/** An organisation with a directory. */
export interface Organisation {
  id: string;
  scim: string;
  people: string[];
}

/** Who and what the load is about. */
export interface Cast {
  organisations: Organisation[];
  /** A personal access token, whose row is read for each request. */
  personal: string;
  /** An access token that is verified by its signature. */
  signed: string;
  bundles: string[];
  /** Addresses of accounts that have the password. */
  accounts: string[];
}

/** Sets a new instance up, through the balancer. */
export async function createCast(stack: Stack, ledger: Ledger, postgres: Postgres): Promise<Cast> {
  const client = new HttpClient(stack.url);
  const set = { token: stack.setUpToken, organisation: 'First', name: 'Admin', email: ADMIN, password: PASSWORD };
  const { status } = await submit(client, '/setup', set);
  if (status !== 303) throw new Error(`The set-up answered ${status}.`);
  const signed = stack.command('token', '--email', ADMIN, '--admin', '--ttl', '24h');
  const post = async (path: string, json: unknown, token = signed): Promise<Record<string, string>> => {
    const answer = await client.send(path, { method: 'POST', token, json });
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return JSON.parse(answer.text) as Record<string, string>;
  };
  const scopes = ['bundles:read', 'bundles:write'];
  const { token: personal = '' } = await post('/v1/users/me/access-tokens', { name: 'Load', scopes });
  const cast: Cast = { organisations: [], personal, signed, bundles: [], accounts: await accounts(postgres) };
  for (let number = 0; number < ORGANISATIONS; number++) {
    const { id = '' } = await post('/v1/organisations', { name: `Load ${number}` });
    await post('/v1/webhooks', { org_id: id, target_url: ledger.url, event_types: EVENTS });
    const { token: scim = '' } = await post(`/v1/organisations/${id}/scim/tokens`, { name: 'Directory' });
    const organisation: Organisation = { id, scim, people: [] };
    cast.organisations.push(organisation);
    for (let row = 0; row < ROWS; row++) {
      const name = `begun-${number}-${row}`;
      const bundle = await post('/v1/bundles', { name, org_id: id });
      cast.bundles.push(bundle.id ?? '');
      ledger.hasBegun(bundle.id ?? '', name);
      const person = await post(`/v1/organisations/${id}/scim/v2/Users`, scimUser(name), scim);
      organisation.people.push(person.id ?? '');
      ledger.hasBegun(person.id ?? '', name);
    }
  }
  client.close();
  return cast;
}

/** Accounts with the password of the first: to make them by invitations would take longer than all the rest. */
async function accounts(postgres: Postgres): Promise<string[]> {
  const rows = await postgres.query<{ email: string }>(`
    WITH added AS (
      INSERT INTO users (id, email, name, email_at, claimed_at)
      SELECT gen_random_uuid(), format('person-%s@example.com', n), 'Person', now(), now()
      FROM generate_series(1, ${ACCOUNTS}) AS n RETURNING id, email
    ), stored AS (
      INSERT INTO passwords (user_id, hash, changed_at) SELECT added.id, hash, now() FROM added, passwords
    )
    SELECT email FROM added`);
  return rows.map(({ email }) => email);
}

export function scimUser(name: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: `${name}@example.com`,
    displayName: name,
    active: true,
  };
}

/** Shows the page of a form and sends it, as a browser does. @returns the answer to the form, a redirect if all is well */
export async function submit(
  client: HttpClient,
  path: string,
  fields: Record<string, string>,
  localAddress?: string,
): Promise<Answer> {
  const page = await client.send(path, { localAddress });
  if (page.status !== 200) return page;
  const hidden = Object.fromEntries(
    [...page.text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      /name="([^"]*)"/.exec(input)?.[1] ?? '',
      /value="([^"]*)"/.exec(input)?.[1] ?? '',
    ]),
  );
  const cookie = [page.headers['set-cookie'] ?? []]
    .flat()
    .map((one) => one.split(';')[0])
    .join('; ');
  return client.send(path, { method: 'POST', form: { ...hidden, ...fields }, cookie, localAddress });
}
