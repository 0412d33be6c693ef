/** @returns a number with its noun */
const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The categories of the catalogue. */
export const categories = {
  create: 'New category',
  label: 'Categories in display order',
  help: 'People see the categories in this order. Drag one, or move it with its buttons.',
  count: (count: number) => counted(count, 'category', 'categories'),
  countedAt: 'Public listings were counted',
  countedNext: 'The next count is due',
  notCounted: 'Public listings were not counted yet.',
  empty: 'There is no category yet.',
  emptyNext: 'Create the first one: every listing needs one.',

  row: {
    drag: (name: string) => `Drag ${name} to another position`,
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    edit: (name: string) => `Edit ${name}`,
    more: (name: string) => `More actions for ${name}`,
    moveTo: 'Move to position…',
    merge: 'Merge into another…',
    remove: 'Delete…',
    movedTo: (name: string, place: number, count: number) => `${name} is at position ${place} of ${count}.`,
    listings: (count: number) => counted(count, 'listing'),
    isPublic: (count: number) => `${count} public at the last count`,
    isMoved: 'Moved',
  },

  order: {
    changed: (count: number) => `${counted(count, 'category', 'categories')} moved`,
    save: 'Save the order',
    discard: 'Discard',
    saved: 'The new order is saved.',
    rebased: 'Another administrator has changed the categories.',
    rebasedHelp:
      'Nothing was saved. The list has their changes, and your moves on top of them. Look at it, and save again.',
  },

  move: {
    title: (name: string) => `Move ${name}`,
    place: 'Position',
    hint: (count: number) => `1 to ${count}`,
    wrong: (count: number) => `Must be a number from 1 to ${count}.`,
    action: 'Move',
  },

  form: {
    createTitle: 'New category',
    editTitle: (name: string) => `Edit ${name}`,
    name: 'Name',
    slug: 'Slug',
    slugHint: 'In addresses and category maps. Left empty, it is made of the name.',
    slugChange: 'In addresses and category maps. Links and maps with the former slug no longer work.',
    description: 'Description',
    icon: 'Icon',
    iconHint: 'The name of a Lucide icon, such as database.',
    create: 'Create the category',
    save: 'Save',
    created: (name: string) => `${name} was created, as the last category.`,
    saved: (name: string) => `${name} is saved.`,
    theirs: 'Another administrator has changed this category.',
    theirsHelp: 'Nothing was saved, and what you typed is still here. These fields are different now:',
    theirsSave: 'Save sends only the fields that you have changed.',
    nothing: 'empty',
  },

  merge: {
    title: (name: string) => `Merge ${name} into another category`,
    target: 'Into which category?',
    choose: 'Choose a category',
    none: 'There is no other category. Create one first.',
    remove: (name: string) => `Delete the category “${name}” afterwards`,
    preview: 'What will be moved',
    moved: (count: number) => counted(count, 'listing'),
    published: 'Published',
    drafts: 'Drafts',
    archived: 'Archived',
    unseen: 'Of these, seen by their owners alone',
    first: (shown: number, all: number) => `${shown} of ${counted(all, 'listing')}, by name`,
    firstLabel: 'Listings that will be moved',
    unseenHelp: 'Drafts and private listings are moved too. Only their owners see their names.',
    nothing: 'It has no listing.',
    statuses: { DRAFT: 'Draft', PUBLISHED: 'Published', ARCHIVED: 'Archived' },
    moveAndDelete: (count: number) => `Move ${counted(count, 'listing')} and delete the category`,
    move: (count: number) => `Move ${counted(count, 'listing')}`,
    deleteOnly: 'Delete the category',
    changed: 'Its listings have changed meanwhile. Nothing was moved. This is what would be moved now.',
    done: (name: string, to: string, count: number) => `${counted(count, 'listing')} of ${name} moved to ${to}.`,
    doneAndDeleted: (name: string, to: string, count: number) =>
      `${counted(count, 'listing')} of ${name} moved to ${to}. The category ${name} was deleted.`,
  },

  remove: {
    title: (name: string) => `Delete ${name}?`,
    help: 'It has no listing. Category maps of imports that name it must be changed.',
    action: 'Delete the category',
    done: (name: string) => `${name} was deleted.`,
  },
};
