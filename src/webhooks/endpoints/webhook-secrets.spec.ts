import { randomBytes } from 'node:crypto';
import { Secrets } from '../../config/secrets';
import { newId } from '../../database/id';
import { WebhookSecrets } from './webhook-secrets';

const secretsWith = (key: Buffer) => new WebhookSecrets(new Secrets(key));
const KEY = Buffer.alloc(32, 7);

describe('The signing secrets of endpoints', () => {
  const secrets = secretsWith(KEY);
  const endpointId = newId();

  it('are whsec_ and 32 random bytes in base64', () => {
    const made = Array.from({ length: 100 }, () => secrets.generate());
    for (const secret of made) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    }
    expect(new Set(made).size).toBe(100);
  });

  it('come back from their encryption, on every replica with the same key', () => {
    const secret = secrets.generate();
    const encrypted = secrets.encrypt(endpointId, secret);
    expect(secrets.decrypt(endpointId, encrypted)).toBe(secret);
    expect(secretsWith(Buffer.alloc(32, 7)).decrypt(endpointId, encrypted)).toBe(secret);
  });

  it('are encrypted differently each time, and never hold the secret in clear', () => {
    const secret = secrets.generate();
    const all = Array.from({ length: 100 }, () => secrets.encrypt(endpointId, secret));
    expect(new Set(all.map((encrypted) => encrypted.toString('hex'))).size).toBe(100);
    // The nonce of AES-GCM must never repeat under one key.
    expect(new Set(all.map((encrypted) => encrypted.subarray(0, 12).toString('hex'))).size).toBe(100);
    for (const encrypted of all) {
      expect(encrypted.includes(secret)).toBe(false);
      expect(encrypted.includes(Buffer.from(secret.slice('whsec_'.length), 'base64'))).toBe(false);
    }
  });

  it('open with no other key', () => {
    const encrypted = secrets.encrypt(endpointId, secrets.generate());
    expect(() => secretsWith(randomBytes(32)).decrypt(endpointId, encrypted)).toThrow();
  });

  it('open for no other endpoint', () => {
    const encrypted = secrets.encrypt(endpointId, secrets.generate());
    expect(() => secrets.decrypt(newId(), encrypted)).toThrow();
  });

  it('do not open when any byte was changed, or some are missing', () => {
    const encrypted = secrets.encrypt(endpointId, secrets.generate());
    for (let index = 0; index < encrypted.length; index++) {
      const changed = Buffer.from(encrypted);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => secrets.decrypt(endpointId, changed)).toThrow();
      expect(() => secrets.decrypt(endpointId, encrypted.subarray(0, index))).toThrow();
    }
  });
});

describe('The headers of endpoints', () => {
  const secrets = secretsWith(KEY);
  const endpointId = newId();
  const headers = { Authorization: 'Bearer 7c1d7b3e', 'X-Team': 'pagers' };

  it('come back from their encryption, for their endpoint and key only', () => {
    const encrypted = secrets.encryptHeaders(endpointId, headers);
    expect(secrets.decryptHeaders(endpointId, encrypted)).toEqual(headers);
    expect(encrypted.includes('Bearer')).toBe(false);
    expect(() => secrets.decryptHeaders(newId(), encrypted)).toThrow();
    expect(() => secretsWith(randomBytes(32)).decryptHeaders(endpointId, encrypted)).toThrow();
  });

  it('are no secret, and a secret is no headers', () => {
    const secret = secrets.generate();
    expect(() => secrets.decrypt(endpointId, secrets.encryptHeaders(endpointId, headers))).toThrow(/authenticate/);
    expect(() => secrets.decryptHeaders(endpointId, secrets.encrypt(endpointId, secret))).toThrow(/authenticate/);
  });
});
