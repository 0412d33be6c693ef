import type { BundleDeletionPreview } from '../../api/schema';

/** What goes with a bundle, the more important first. */
const COUNTED = [
  'entry_count',
  'version_count',
  'deployment_count',
  'access_token_count',
  'credential_count',
  'editor_count',
  'follower_count',
] as const;

/** From here on the name is typed before. */
const MANY = 10;

type Counts = Pick<BundleDeletionPreview, (typeof COUNTED)[number]>;

/** @returns what there is at least one of, with how many */
export function goesWith(preview: Counts): (readonly [(typeof COUNTED)[number], number])[] {
  return COUNTED.map((what) => [what, preview[what]] as const).filter(([, count]) => count > 0);
}

/** @returns whether more than ten things go */
export function isMuch(preview: Counts): boolean {
  return goesWith(preview).reduce((sum, [, count]) => sum + count, 0) > MANY;
}
