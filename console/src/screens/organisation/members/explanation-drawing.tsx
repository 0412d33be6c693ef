import { classes } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { number } from '../../../messages/text';
import { drawingOf, lineOf, MAX_DRAWN, NODE, type Place, type RoleSource } from './explanation-graph';
import styles from './members.module.css';
import { sourceName } from './source-name';
import { roleName } from './reason-words';
import { membersWords } from './words';

const words = membersWords.explanation;

interface Props {
  person: string;
  role: 'MEMBER' | 'ADMIN' | 'OWNER' | null;
  sources: readonly RoleSource[];
}

/** A picture of what gives a person a role. The table beside it says the same, so it is one picture for those who hear. */
export function ExplanationDrawing({ person, role, sources }: Props) {
  const drawing = drawingOf(sources);
  const more = sources.length - MAX_DRAWN;
  return (
    <div className={styles.graph} role="img" aria-label={words.graph} tabIndex={0}>
      <div className={styles.ground} style={{ width: drawing.width, height: drawing.height }}>
        <svg width={drawing.width} height={drawing.height} aria-hidden="true">
          {drawing.rows.map(({ source, from, gives }) => (
            <g key={source.key} className={classes(source.decides && styles.decides, !source.counts && styles.aside)}>
              <path d={lineOf(drawing.person, from)} />
              <path d={lineOf(from, gives)} />
              {source.counts && <path d={lineOf(gives, drawing.role)} />}
            </g>
          ))}
        </svg>
        <Node place={drawing.person} kind={words.person} name={person} />
        {drawing.rows.map(({ source, from, gives }) => (
          <div key={source.key}>
            <Node
              place={from}
              kind={sourceKind(source)}
              name={source.name === undefined ? sourceName(source) : shown(source.name)}
              source={source}
            />
            <Node place={gives} kind={words.gives} name={roleName(source.role)} source={source} />
          </div>
        ))}
        <Node place={drawing.role} kind={words.inForce} name={roleName(role)} />
      </div>
      {more > 0 && <p className={styles.ground}>{words.more(number(more))}</p>}
    </div>
  );
}

const sourceKind = ({ kind, decides, counts }: RoleSource): string =>
  words.kindOf(words.kinds[kind], decides ? words.decides : counts ? words.countsToo : words.doesNotCount);

interface NodeProps {
  place: Place;
  kind: string;
  name: string;
  source?: RoleSource;
}

const Node = ({ place, kind, name, source }: NodeProps) => (
  <div
    className={classes(
      styles.node,
      source?.decides && styles.nodeDecides,
      source?.counts === false && styles.nodeAside,
    )}
    style={{ left: place.x, top: place.y, width: NODE.width, height: NODE.height }}
    title={name}
  >
    <span>{kind}</span>
    <span>
      <bdi>{name}</bdi>
    </span>
  </div>
);
