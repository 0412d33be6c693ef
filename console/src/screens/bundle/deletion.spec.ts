import { goesWith, isMuch } from './deletion';

const nothing = {
  entry_count: 0,
  version_count: 0,
  deployment_count: 0,
  access_token_count: 0,
  credential_count: 0,
  editor_count: 0,
  follower_count: 0,
};

describe('The deletion of a bundle', () => {
  it('names only what exists', () => {
    expect(goesWith({ ...nothing, follower_count: 2, entry_count: 1 })).toEqual([
      ['entry_count', 1],
      ['follower_count', 2],
    ]);
  });

  it('asks for the name from the eleventh thing on', () => {
    expect(isMuch({ ...nothing, entry_count: 4, version_count: 6 })).toBe(false);
    expect(isMuch({ ...nothing, entry_count: 5, version_count: 6 })).toBe(true);
  });
});
