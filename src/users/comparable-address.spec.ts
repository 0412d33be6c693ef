import { comparableAddress } from './comparable-address';

describe('Addresses as they are compared', () => {
  it.each([
    ['Ann@Example.COM', 'ann@example.com'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
    ['Jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['"a@b"@example.com', '"a@b"@example.com'],
    ['ann@exa_mple', 'ann@exa_mple'],
    ['ann@Example.com/x', 'ann@example.com/x'],
  ])('%s is %s', (address, comparable) => {
    expect(comparableAddress(address)).toBe(comparable);
  });

  it.each([
    ['the KELVIN SIGN', '\u212aim@example.com', 'kim@example.com'],
    ['a dotted capital I', '\u0130da@example.com', 'ida@example.com'],
    ['full-width letters', '\uff41nn@example.com', 'ann@example.com'],
  ])('%s is another letter', (_, address, other) => {
    expect(comparableAddress(address)).not.toBe(comparableAddress(other));
  });

  it('are the same again', () => {
    for (const address of ['Ann@Bücher.example', '\u0130@example.com', 'a@']) {
      expect(comparableAddress(comparableAddress(address))).toBe(comparableAddress(address));
    }
  });
});
