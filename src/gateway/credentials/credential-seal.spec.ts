import fc from 'fast-check';
import { Secrets } from '../../config/secrets';
import { newId } from '../../database/id';
import { CredentialSeal } from './credential-seal';

const [now, before] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

describe('A sealed value of a credential', () => {
  const seal = new CredentialSeal(new Secrets(now));

  it('opens for its name and credential, and for no other', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string({ unit: 'grapheme' }), (name, other, value) => {
        fc.pre(other !== name);
        const id = newId();
        const sealed = seal.seal(id, name, value);
        expect(seal.open(id, name, sealed)).toBe(value);
        expect(() => seal.open(newId(), name, sealed)).toThrow('cannot be authenticated');
        expect(() => seal.open(id, other, sealed)).toThrow('cannot be authenticated');
      }),
    );
  });

  it('opens with the key of before, as long as that is accepted', () => {
    const sealed = new CredentialSeal(new Secrets(before)).seal('id', 'name', 'value');
    expect(new CredentialSeal(new Secrets(now, [before])).open('id', 'name', sealed)).toBe('value');
    expect(() => seal.open('id', 'name', sealed)).toThrow('cannot be authenticated');
  });
});
