import type { Answer } from '../../api/client';
import { transportName } from '../../ui/listing-card';
import type { Filter } from './filters';

/** @returns how the value of a filter is called for people: a category by its name, once the facets are read */
export function valueName(
  filter: Filter,
  value: string,
  facets: Answer<'GET /v1/mcp/listings/facets'> | undefined,
): string {
  if (filter === 'transport') return transportName(value);
  if (filter === 'registry') return value;
  return facets?.categories.find(({ category }) => category === value)?.name ?? value;
}
