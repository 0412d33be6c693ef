import { Fragment } from 'react';
import { visibleText } from '../../../src/pages/visible-text';
import { t } from '../messages/text';

/** Longer text is cut where it is only one of many. */
const MAX_SHOWN = 2_000;

/** @returns a text of others as it may be shown: nothing unseen, nothing that turns or covers the text beside it */
export function shown(text: string | null | undefined): string {
  const cut = (text ?? '').slice(0, MAX_SHOWN);
  return visibleText(cut) ?? t.ui.nameless;
}

/** A text of one line that another person, a program or a document chose. Its direction changes nothing around it. */
export const OtherText = ({ children }: { children: string | null | undefined }) => <bdi>{shown(children)}</bdi>;

/** The name of a server. A line that is too short for it ends after a dot or a slash. */
export const ServerName = ({ children }: { children: string }) => (
  <bdi>
    {shown(children)
      .split(/(?<=[./])/)
      .map((part, place) => (
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
  </bdi>
);

/** @returns an address of others, if a browser may open it; undefined for every scheme but http and https */
export function safeAddress(address: unknown): URL | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '' ? url : undefined;
}

interface OtherLinkProps {
  address: unknown;
  /** By default the address. */
  children?: string;
}

/** A link to an address of others: with its host, and without a word about this page. As text if it is no web address. */
export function OtherLink({ address, children }: OtherLinkProps) {
  const url = safeAddress(address);
  const label = children === undefined ? undefined : shown(children);
  if (!url) return <bdi>{label ?? shown(typeof address === 'string' ? address : '')}</bdi>;
  const hasHost = label === undefined || label.includes(url.host);
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow" title={t.ui.opensElsewhere(url.host)}>
      <bdi>{label ?? shown(url.href)}</bdi>
      {!hasHost && ` (${url.host})`}
    </a>
  );
}
