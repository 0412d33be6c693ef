// OpenID providers in a process of their own, for the tests of company sign-in: what we write with the one library is
// tried against the other. Started by identity-providers.ts, which sends commands by IPC.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

/** Where addresses of the tests really are. */
const origins = new Map();
const providers = new Map();

function keys() {
  const jwk = (type, options, more) => ({
    ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }),
    ...more,
  });
  return {
    keys: [
      jwk('rsa', { modulusLength: 2048 }, { kid: 'rsa', use: 'sig' }),
      jwk('ec', { namedCurve: 'P-256' }, { kid: 'ec', use: 'sig' }),
    ],
  };
}

/** Without the library's dispatcher, which refuses private addresses. */
function throughOrigins(url, { method, headers, body, signal }) {
  const { origin, pathname, search } = new URL(url);
  return fetch(`${origins.get(origin) ?? origin}${pathname}${search}`, { method, headers, body, signal });
}

function cookieOf(request, name) {
  const pair = (request.headers.cookie ?? '').split('; ').find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

const commands = {
  /** Claims by who asks: `id_token`, or `userinfo` if they differ. */
  async start({ clients, isThin = false, obeys = true }) {
    const people = new Map();
    const server = createServer();
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${server.address().port}`;
    const provider = new Provider(issuer, {
      clients,
      jwks: keys(),
      cookies: { keys: [randomBytes(16).toString('hex')] },
      claims: {
        openid: ['sub', 'sid'],
        email: ['email', 'email_verified', 'xms_edov'],
        profile: ['name', 'preferred_username'],
      },
      conformIdTokenClaims: isThin,
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      fetch: throughOrigins,
      findAccount: (_ctx, accountId) => ({
        accountId,
        claims: (use) => ({ sub: accountId, ...(people.get(accountId)?.[use] ?? people.get(accountId)?.claims) }),
      }),
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      async loadExistingGrant(ctx) {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client.clientId,
          accountId: ctx.oidc.session.accountId,
        });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    // Signs in whoever the browser's cookie names, without a page.
    const interact = (request, response) => {
      const person = cookieOf(request, 'person');
      const result = person ? { login: { accountId: person } } : { error: 'access_denied' };
      return provider.interactionFinished(request, response, result);
    };
    const state = { provider, people, server, obeys };
    server.on('request', (request, response) => {
      if (!state.obeys) request.url = request.url.replace(/&(prompt=login|max_age=0)(?=&|$)/g, '');
      if (!request.url.startsWith('/interaction/')) return callback(request, response);
      return interact(request, response).catch((error) => response.writeHead(500).end(String(error)));
    });
    providers.set(issuer, state);
    return issuer;
  },

  person({ issuer, subject, claims, userinfo }) {
    providers.get(issuer).people.set(subject, { claims, userinfo });
  },

  obey({ issuer, obeys }) {
    providers.get(issuer).obeys = obeys;
  },

  route({ origin, to }) {
    origins.set(origin, to);
  },

  /** @returns what our endpoint answered */
  async logOut({ issuer, clientId, subject, sid }) {
    const { provider } = providers.get(issuer);
    const client = await provider.Client.find(clientId);
    try {
      await client.backchannelLogout(subject, sid);
      return 'ok';
    } catch (error) {
      return String(error.error_description ?? error.message);
    }
  },

  async stop({ issuer }) {
    const { server } = providers.get(issuer);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
};

process.on('message', async ({ id, command, input }) => {
  try {
    process.send({ id, result: await commands[command](input) });
  } catch (error) {
    process.send({ id, error: String(error?.stack ?? error) });
  }
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
