import { Link } from '@tanstack/react-router';
import { FIRST } from '../tools/first-held';
import type { Bundle, EndpointProblem } from '../../../api/schema';
import { buttonClass } from '../../../ui/button';
import { shown } from '../../../ui/other-text';
import { mendOf } from './problem-mends';
import { RefreshButton } from './refresh-button';
import { endpointWords } from './words';

const words = endpointWords.problems;

interface MendLinkProps {
  bundle: Bundle;
  problem: EndpointProblem;
  /** What it is about, for those who hear the page: many of these look the same. */
  of: string;
}

/** What mends a problem on this page; nothing where it cannot be mended here. */
export function MendLink({ bundle, problem, of }: MendLinkProps) {
  const mend = mendOf(problem.code);
  if (mend === undefined) return null;
  const text = words.mends[mend];
  const label = words.mendOf(text, shown(of));
  if (mend === 'refresh') return <RefreshButton bundleId={bundle.id} text={text} label={label} />;
  const params = { bundleId: bundle.id };
  const look = { className: buttonClass(), 'aria-label': label };
  if (mend === 'editor')
    return (
      <Link to="/bundles/$bundleId/edit" params={params} {...look}>
        {text}
      </Link>
    );
  const search =
    mend === 'accounts'
      ? { tab: 'accounts' }
      : mend === 'changed' || mend === 'new'
        ? { tab: 'tools', review: FIRST }
        : { tab: 'tools', q: mend === 'tools' ? undefined : (problem.subject ?? undefined) };
  return (
    <Link to="/bundles/$bundleId" params={params} search={search} {...look}>
      {text}
    </Link>
  );
}
