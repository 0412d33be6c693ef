// Passkeys in the browser: the buttons with `data-passkey` on the pages for signing in and for the own account. Everything
// else works without script.
'use strict';

(() => {
  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, '-')
      .replace(/\//g, '_')
      .replace(/=+$/, '');
  const withIds = (list = []) => list.map((item) => ({ ...item, id: bytes(item.id) }));

  const post = (path, body) =>
    fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Toolyard-Console': '1' },
      body: JSON.stringify(body),
    });

  async function answerOf(response) {
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const { detail } = answer;
    throw new Error(typeof detail === 'string' ? detail : 'That did not work. Try again.');
  }

  function toJson(credential) {
    const { id, type, response } = credential;
    const parts = {};
    for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
      if (response[name]) parts[name] = text(response[name]);
    }
    if (response.getTransports) parts.transports = response.getTransports();
    return { id, rawId: id, type, clientExtensionResults: {}, response: parts };
  }

  async function signIn(returnTo) {
    const { public_key: options } = await answerOf(await post('/v1/session/passkey/options', {}));
    const credential = await navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: bytes(options.challenge),
        allowCredentials: withIds(options.allowCredentials),
      },
    });
    const { location } = await answerOf(
      await post('/v1/session/passkey', { response: toJson(credential), return_to: returnTo }),
    );
    window.location.assign(location);
  }

  async function register(name) {
    const { public_key: options } = await answerOf(await post('/v1/users/me/passkeys/options'));
    const credential = await navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: bytes(options.challenge),
        user: { ...options.user, id: bytes(options.user.id) },
        excludeCredentials: withIds(options.excludeCredentials),
      },
    });
    return answerOf(await post('/v1/users/me/passkeys', { name, response: toJson(credential) }));
  }

  function show(element, lines) {
    element.hidden = false;
    element.replaceChildren(...lines.map((line) => Object.assign(document.createElement('p'), { textContent: line })));
  }

  for (const form of document.querySelectorAll('form[data-passkey]')) {
    if (!window.PublicKeyCredential) continue;
    form.hidden = false;
    const message = form.querySelector('[role="status"]');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const fields = new FormData(form);
      try {
        if (form.dataset.passkey === 'sign-in') {
          await signIn(fields.get('return_to') ?? '/');
          return;
        }
        const { recovery_codes: codes } = await register(fields.get('name'));
        if (!codes) window.location.reload();
        else
          show(message, [
            'The passkey was added. Write down these codes: each signs you in once if you lose your passkeys. They are shown only now.',
            ...codes,
          ]);
      } catch (error) {
        show(message, [error.name === 'NotAllowedError' ? 'No passkey was used. Try again.' : error.message]);
      }
    });
  }
})();
