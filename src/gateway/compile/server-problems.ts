import type { Problem, ReachableEntry } from './compiled-bundle';

/**
 * What a report says about the server of an entry itself.
 *
 * @param hasAny whether anything is known that it lists
 */
export function serverProblems({ id, upstream, credential }: ReachableEntry, hasAny: boolean): Problem[] {
  const { listedAt, listError, leftOut, modern, legacy, onlyEra } = upstream;
  const problems: Problem[] = [];
  const isKnown = credential === undefined || credential.state === 'CONNECTED';
  if (listError !== null) problems.push({ code: 'list_failed', entryId: id, detail: listError });
  else if (listedAt === null)
    problems.push({ code: 'not_listed', entryId: id, detail: 'Its lists have not been read yet.' });
  else if (!hasAny && isKnown) problems.push({ code: 'nothing_listed', entryId: id, detail: NOTHING });
  if (modern === '' && legacy)
    problems.push({
      code: 'legacy_only',
      entryId: id,
      detail: `It speaks ${legacy} and no revision without sessions: it cannot ask anything of clients of 2026-07-28.`,
    });
  if (onlyEra) {
    const revisions = [modern ?? 'the modern era', legacy ?? 'the legacy era'];
    const [used, silent] = onlyEra === 'modern' ? revisions : revisions.toReversed();
    problems.push({
      code: 'other_era_only',
      entryId: id,
      detail: `It lists nothing to clients of ${silent}, so it is used in ${used} only.`,
    });
  }
  for (const { name, reason, code = 'left_out' } of leftOut)
    problems.push({ code, entryId: id, ...(name === undefined ? {} : { subject: name }), detail: reason });
  return problems;
}

const NOTHING = 'Its server was asked, and offers no tools, prompts or resources.';
