import { callKind, namedIn, nameOfBody } from './call-kind';

describe('What a call of an identity provider was for', () => {
  it.each([
    ['GET', '/Users?startIndex=1&count=2', 'test'],
    ['GET', '/Users?filter=userName+eq+%220a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef%22', 'test'],
    ['GET', '/Users?filter=userName%20eq%20%22ada%40acme.example%22&startIndex=1&count=100', 'look_up_user'],
    ['GET', '/Users?startIndex=1&count=100', 'list_users'],
    ['GET', '/Users/1', 'read_user'],
    ['POST', '/Users', 'create_user'],
    ['POST', '/Users/.search', 'look_up_user'],
    ['PUT', '/Users/1', 'change_user'],
    ['patch', '/Users/1', 'change_user'],
    ['DELETE', '/Users/1', 'delete_user'],
    ['GET', '/Groups?excludedAttributes=members&filter=displayName eq "A"', 'look_up_group'],
    ['GET', '/Groups', 'list_groups'],
    ['POST', '/Groups', 'create_group'],
    ['PATCH', '/Groups/1?attributes=id', 'change_group'],
    ['DELETE', '/Groups/1', 'delete_group'],
    ['POST', '/Bulk', 'bulk'],
    ['GET', '/ServiceProviderConfig', 'discovery'],
    ['GET', '/Schemas/urn:1', 'discovery'],
    ['GET', '/Me', 'other'],
    ['HEAD', '/Users/1', 'other'],
    ['', '', 'other'],
    ['GET', '/Users?filter=%', 'look_up_user'],
  ])('%s %s', (method, path, kind) => expect(callKind({ method, path })).toBe(kind));

  it('names who is looked up, and who is created', () => {
    expect(namedIn('/Users?filter=userName+eq+%22ada%40acme.example%22')).toBe('ada@acme.example');
    expect(namedIn('/Users/1')).toBeUndefined();
    expect(nameOfBody({ userName: 'ada', displayName: 'Ada' })).toBe('ada');
    expect(nameOfBody({ displayName: 'Engineers' })).toBe('Engineers');
    expect([nameOfBody(null), nameOfBody({ userName: 1 }), nameOfBody('x')]).toEqual([undefined, undefined, undefined]);
  });
});
