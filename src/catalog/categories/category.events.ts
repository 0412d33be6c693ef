import { changed, constant, count, listOf, shape, text } from '../../events/event-shape';
import { type DataOfEvents, defineEvents, event } from '../../events/event-types';

const RECEIVERS = 'Sent to personal endpoints of platform administrators only.';

const ORG = { org_id: constant(null, 'Always null: categories are of no organisation.') };
const category = { ...ORG, category_id: count('The category.'), name: text('Its name.'), slug: text('Its slug.') };
const sample = { org_id: null, category_id: 12, name: 'Databases', slug: 'databases' };

export const CATEGORY_EVENTS = defineEvents('Categories', {
  'category.created': event('Category created', `A category was created. ${RECEIVERS}`, shape(category, sample)),

  'category.updated': event(
    'Category updated',
    `A category was changed. ${RECEIVERS}`,
    shape(
      { ...category, changed: changed('name', 'slug', 'description', 'icon', 'display_order') },
      { ...sample, changed: ['name'] },
    ),
  ),

  'category.deleted': event('Category deleted', `A category was deleted. ${RECEIVERS}`, shape(category, sample)),

  'category.merged': event(
    'Listings of a category moved',
    `All listings of a category were moved to another one. Each of them also has its \`listing.updated\`. ${RECEIVERS}`,
    shape(
      { ...category, to: text('The slug of the other category.'), moved: count('The number of listings.') },
      { ...sample, to: 'data-and-analytics', moved: 7 },
    ),
  ),

  'category.reordered': event(
    'Categories reordered',
    `The categories have another order. ${RECEIVERS}`,
    shape(
      { ...ORG, order: listOf(count('A category.'), 'All categories in display order.') },
      { org_id: null, order: [12, 3, 7] },
    ),
  ),
});

declare module '../../events/event-types' {
  interface EventTypes extends DataOfEvents<typeof CATEGORY_EVENTS> {}
}
