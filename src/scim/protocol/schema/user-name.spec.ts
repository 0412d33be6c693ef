import { requireUserName, userNameFault } from './user-name';

describe('The rules for a SCIM userName', () => {
  it.each([
    'alice',
    'alice@example.com',
    "o'brien+test_1.x@example.com",
    'DOMAIN\\alice',
    'Alice Smith',
    'ＡＬＩＣＥ',
    'josé',
    'jose\u0301',
    'straße',
    'İvan',
    '王秀英',
    'ﾊﾝｽ',
    'ハン・ス',
    '안녕'.normalize('NFD'),
    'עלי',
    'علي۱۲',
    'می\u200Cرم',
    'क्\u200Dष',
    'col·lega',
    'α͵β',
  ])('allow "%s"', (name) => {
    expect(userNameFault(name)).toBeUndefined();
  });

  it.each([
    ['a Kelvin sign', '\u212Aim@example.com'],
    ['a control character', 'alice\u0007'],
    ['a line break', 'alice\nsmith'],
    ['a no-break space', 'alice\u00A0smith'],
    ['a space at the end', 'alice '],
    ['an ideographic space in front', '\u3000alice'],
    ['an emoji', 'alice😀'],
    ['a typographic apostrophe', 'o’brien'],
    ['a soft hyphen', 'ali\u00ADce'],
    ['a zero-width space', 'ali\u200Bce'],
    ['a direction override', 'ali\u202Ece'],
    ['a byte order mark', '\uFEFFalice'],
    ['a ligature', 'ﬁne'],
    ['a circled letter', 'Ⓐlice'],
    ['a private-use character', 'alice\uE000'],
    ['an unassigned code point', 'alice\u0378'],
    ['a joiner after a character that does not take one', 'ali\u200Dce'],
    ['a middle dot that is not between two l', 'a·b'],
    ['both kinds of Arabic digits', 'ا١۱'],
    ['letters of both writing directions', 'עלי@example.com'],
    ['a number before right-to-left letters', '1עלי'],
    ['more bytes than an index can store', '\uFB2C'.repeat(400)],
  ])('reject %s', (_, name) => {
    expect(userNameFault(name)).toBeDefined();
  });

  it('allow a name from before the rules until it is changed', () => {
    expect(() => requireUserName('alice😀', 'alice😀')).not.toThrow();
    expect(() => requireUserName('bob😀', 'alice😀')).toThrow('userName contains the character U+1F600');
    expect(() => requireUserName('alice😀')).toThrow('userName contains the character U+1F600');
  });
});
