import { Badge } from '../../../../ui/badge';
import { OtherText, shown } from '../../../../ui/other-text';
import bundle from '../../bundle.module.css';
import type { Property, PropertyChange } from '../definition-comparison';
import { revealed } from '../revealed';
import styles from '../tools.module.css';
import { toolsWords } from '../words';

const words = toolsWords.difference;

interface PropertyChangesProps {
  changes: readonly PropertyChange[];
  /** There is no definition before: all is new. */
  isFirst: boolean;
}

/** What a tool takes now and did not, or not so. */
export const PropertyChanges = ({ changes, isFirst }: PropertyChangesProps) => (
  <>
    <h4>{words.arguments}</h4>
    <div className={bundle.table} tabIndex={0} role="region" aria-label={words.arguments}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.argument}</th>
            {!isFirst && <th scope="col">{words.before}</th>}
            <th scope="col">{words.now}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.path}>
              <td>
                <code>{shown(change.path)}</code>
                <br />
                <Badge
                  tone={change.kind === 'added' ? 'good' : change.kind === 'removed' ? 'bad' : 'warn'}
                  icon={change.kind === 'added' ? 'plus' : change.kind === 'removed' ? 'close' : 'refresh'}
                >
                  {words.kinds[change.kind]}
                </Badge>
              </td>
              {!isFirst && (
                <td>
                  <Side property={change.before} change={change} look={styles.removed} />
                </td>
              )}
              <td>
                <Side property={change.after} change={change} look={styles.added} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </>
);

interface SideProps {
  property: Property | undefined;
  change: PropertyChange;
  look: string | undefined;
}

function Side({ property, change, look }: SideProps) {
  if (!property) return <span>{words.nothing}</span>;
  const of = (part: PropertyChange['differs'][number]) => (change.differs.includes(part) ? look : undefined);
  return (
    <>
      <span className={of('type')}>{shown(property.type)}</span>,{' '}
      <span className={of('required')}>{property.isRequired ? words.required : words.optional}</span>
      {property.description !== '' && (
        <p className={of('description')}>
          <bdi>{revealed(property.description)}</bdi>
        </p>
      )}
      {property.other !== '' && change.differs.includes('other') && (
        <p className={look}>
          <code>
            <OtherText>{property.other}</OtherText>
          </code>
        </p>
      )}
      {property.other === '' && change.differs.includes('other') && <p className={look}>{words.noLimits}</p>}
    </>
  );
}
