import type { BundleToolKind } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { Quiet, Row } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import styles from '../bundle.module.css';
import { FirstOf } from '../../../ui/first-of';
import { annotationOf, parametersOf, textOf } from '../../../ui/tool-parameters';
import { bundleWords } from '../words';

const words = bundleWords.tool;

interface ToolDefinitionProps {
  /** As its server, or the bundle, defines it; null if that is not known. */
  definition: Record<string, unknown> | null;
  kind: BundleToolKind;
}

/** What a tool says of itself, and what it takes. */
export function ToolDefinition({ definition, kind }: ToolDefinitionProps) {
  if (definition === null) return <p>{words.noDefinition}</p>;
  const description = textOf(definition, 'description');
  const parameters = parametersOf(definition);
  const isReadOnly = annotationOf(definition, 'readOnlyHint') === true;
  return (
    <>
      <p>{description === undefined ? <Quiet>{words.noDescription}</Quiet> : <OtherText>{description}</OtherText>}</p>
      {isReadOnly && (
        <Row>
          <Badge icon="info">{words.readOnly}</Badge>
        </Row>
      )}
      {!isReadOnly && annotationOf(definition, 'destructiveHint') === true && (
        <Row>
          <Badge icon="alert" tone="warn">
            {words.destructive}
          </Badge>
        </Row>
      )}
      {parameters.length === 0 ? (
        kind !== 'template' && <Quiet>{words.noParameters}</Quiet>
      ) : (
        <FirstOf items={parameters}>
          {(first) => (
            <div className={styles.table} tabIndex={0} role="region" aria-label={words.parameters}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{words.columns.name}</th>
                    <th scope="col">{words.columns.type}</th>
                    <th scope="col">{words.columns.description}</th>
                  </tr>
                </thead>
                <tbody>
                  {first.map((parameter) => (
                    <tr key={parameter.name}>
                      <td>
                        <code>{shown(parameter.name)}</code>
                      </td>
                      <td>
                        {shown(parameter.type)}
                        {parameter.isRequired && (
                          <>
                            {' '}
                            <Badge>{words.required}</Badge>
                          </>
                        )}
                      </td>
                      <td>{parameter.description !== undefined && <OtherText>{parameter.description}</OtherText>}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </FirstOf>
      )}
    </>
  );
}
