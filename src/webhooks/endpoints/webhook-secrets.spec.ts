import { randomBytes } from 'node:crypto';
import { Secrets } from '../../config/secrets';
import { newId } from '../../database/id';
import { WebhookSecrets } from './webhook-secrets';

const secretsWith = (key: Buffer) => new WebhookSecrets(new Secrets(key));
const KEY = Buffer.alloc(32, 7);

describe('The signing secrets of webhook endpoints', () => {
  const secrets = secretsWith(KEY);
  const endpointId = newId();

  it('are whsec_ and 32 random bytes in base64', () => {
    const generated = Array.from({ length: 100 }, () => secrets.generate());
    for (const secret of generated) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    }
    expect(new Set(generated).size).toBe(100);
  });

  it('can be decrypted again, on every replica with the same key', () => {
    const secret = secrets.generate();
    const encrypted = secrets.encrypt(endpointId, secret);
    expect(secrets.decrypt(endpointId, encrypted)).toBe(secret);
    expect(secretsWith(Buffer.alloc(32, 7)).decrypt(endpointId, encrypted)).toBe(secret);
  });

  it('are encrypted differently each time, and never contain the clear text', () => {
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

  it('cannot be decrypted with another key', () => {
    const encrypted = secrets.encrypt(endpointId, secrets.generate());
    expect(() => secretsWith(randomBytes(32)).decrypt(endpointId, encrypted)).toThrow();
  });

  it('cannot be decrypted for another endpoint', () => {
    const encrypted = secrets.encrypt(endpointId, secrets.generate());
    expect(() => secrets.decrypt(newId(), encrypted)).toThrow();
  });

  it('cannot be decrypted if any byte was changed or is missing', () => {
    const encrypted = secrets.encrypt(endpointId, secrets.generate());
    for (let index = 0; index < encrypted.length; index++) {
      const changed = Buffer.from(encrypted);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => secrets.decrypt(endpointId, changed)).toThrow();
      expect(() => secrets.decrypt(endpointId, encrypted.subarray(0, index))).toThrow();
    }
  });
});

describe('The encrypted headers of webhook endpoints', () => {
  const secrets = secretsWith(KEY);
  const endpointId = newId();
  const headers = { Authorization: 'Bearer 7c1d7b3e', 'X-Team': 'pagers' };

  it('can be decrypted only for their endpoint and key', () => {
    const encrypted = secrets.encryptHeaders(endpointId, headers);
    expect(secrets.decryptHeaders(endpointId, encrypted)).toEqual(headers);
    expect(encrypted.includes('Bearer')).toBe(false);
    expect(() => secrets.decryptHeaders(newId(), encrypted)).toThrow();
    expect(() => secretsWith(randomBytes(32)).decryptHeaders(endpointId, encrypted)).toThrow();
  });

  it('cannot be decrypted as a secret, nor a secret as headers', () => {
    const secret = secrets.generate();
    expect(() => secrets.decrypt(endpointId, secrets.encryptHeaders(endpointId, headers))).toThrow(/authenticate/);
    expect(() => secrets.decryptHeaders(endpointId, secrets.encrypt(endpointId, secret))).toThrow(/authenticate/);
  });
});
