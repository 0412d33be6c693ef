import type { Role, RoleExplanation } from '../../../api/schema';

/** What gives a person a role, or would. */
export interface RoleSource {
  key: string;
  kind: 'manual' | 'group' | 'default' | 'last_owner';
  /** Of a group. */
  name?: string;
  role: Role | null;
  counts: boolean;
  decides: boolean;
  since?: string;
}

/** @returns everything that gives this person a role, the one that decides first */
export function sourcesOf(explanation: RoleExplanation): RoleSource[] {
  const { reason, manual_role, mapped_groups, mapping, role, suspended } = explanation;
  const sources: RoleSource[] = mapped_groups.map((group) => ({
    key: group.mapping_id,
    kind: 'group',
    name: group.group_name,
    role: group.role,
    counts: group.counts,
    decides: group.mapping_id === mapping?.id,
    since: group.member_since,
  }));
  if (manual_role !== null)
    sources.push({
      key: 'manual',
      kind: 'manual',
      role: manual_role,
      counts: !suspended,
      decides: reason === 'manual',
    });
  if (reason === 'default_role') sources.push({ key: 'default', kind: 'default', role, counts: true, decides: true });
  if (reason === 'last_owner') sources.push({ key: 'last', kind: 'last_owner', role, counts: true, decides: true });
  return [...sources].sort((one, other) => weightOf(other) - weightOf(one));
}

const weightOf = ({ counts, decides }: RoleSource): number => (decides ? 2 : counts ? 1 : 0);

/** More do not fit; the table has all. */
export const MAX_DRAWN = 6;

export const NODE = { width: 150, height: 52 } as const;
const GAP = { x: 44, y: 14 } as const;

export interface Place {
  x: number;
  y: number;
}

/** Where the boxes are: the person at one end, the role at the other, the sources with what they give between them. */
export interface Drawing {
  width: number;
  height: number;
  person: Place;
  role: Place;
  /** Of each source: where it comes from, and what it gives. */
  rows: { source: RoleSource; from: Place; gives: Place }[];
}

export function drawingOf(sources: readonly RoleSource[]): Drawing {
  const drawn = sources.slice(0, MAX_DRAWN);
  const height = Math.max(1, drawn.length) * (NODE.height + GAP.y) - GAP.y;
  const middle = (height - NODE.height) / 2;
  const column = (index: number) => index * (NODE.width + GAP.x);
  return {
    width: column(3) + NODE.width,
    height,
    person: { x: 0, y: middle },
    role: { x: column(3), y: middle },
    rows: drawn.map((source, index) => {
      const y = index * (NODE.height + GAP.y);
      return { source, from: { x: column(1), y }, gives: { x: column(2), y } };
    }),
  };
}

/** @returns a curve from the end of one box to the beginning of another */
export function lineOf(from: Place, to: Place): string {
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
  const [x2, y2] = [to.x, to.y + NODE.height / 2];
  const half = (x1 + x2) / 2;
  return `M${x1} ${y1}C${half} ${y1} ${half} ${y2} ${x2} ${y2}`;
}
