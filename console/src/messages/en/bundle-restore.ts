/** A former version of a bundle that comes back. */
export const restoring = {
  openShort: 'Restore…',
  note: 'Why',
  open: (number: number) => `Restore version ${number}…`,
  title: (number: number) => `Restore version ${number}?`,
  help: (latest: number) =>
    `This is what changes compared with now, version ${latest}. It becomes a new version, so nothing is lost: you can go back the same way.`,
  onlyEditors: 'Only those who may change the bundle can restore a version.',
  limits: 'Comes back, but does not work',
  limitHelp: {
    unseen: 'you may not see it, or it was deleted. Clients get nothing of it.',
    'listing-gone': 'it was deleted from the catalogue. Clients get nothing of it.',
    unavailable:
      'it, or the version that is used, was archived or deleted, or is not allowed any more. Clients get nothing of it.',
  },
  ways: 'Versions of its servers',
  way: { 'as-then': 'As they were chosen then', pinned: 'Exactly those of then' },
  wayHelp: {
    'as-then': 'A server that followed the newest version follows it again.',
    pinned: 'Each server is pinned to the version that was recorded. All of them must still exist.',
  },
  versionGone: 'To restore the rest, choose the versions as they were chosen then.',
  moved: (latest: number) => `Meanwhile the bundle was changed: it is at version ${latest} now. Nothing was restored.`,
  previewAgain: 'Look at the changes again',
  restore: (number: number) => `Restore version ${number}`,
  restored: (number: number, latest: number) => `Version ${number} was restored as version ${latest}.`,
  nothing: (number: number) => `Nothing differs from version ${number}, so no new version was made.`,
  cancel: 'Cancel',
};
