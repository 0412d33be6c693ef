import { useState } from 'react';
import { useDraft } from '../../../ui/draft';
import type { EndpointValues } from './endpoint-values';

/** What follows `?` in an address may be a token, so it is not kept. */
const withoutQuery = (url: string): string => url.split('?')[0] ?? '';

/** The values of the form. Those that are no secrets are kept as a draft. */
export function useEndpointValues(draftName: string, initial: EndpointValues) {
  const [draft, setDraft, dropDraft] = useDraft(draftName, initial);
  const [own, setOwn] = useState(draft);
  const set = (values: EndpointValues) => {
    setOwn(values);
    const headers = values.headers.map((line) => ({ ...line, value: '' }));
    setDraft({ ...values, url: withoutQuery(values.url), headers });
  };
  const drop = () => {
    setOwn(initial);
    dropDraft();
  };
  return [own, set, drop] as const;
}
