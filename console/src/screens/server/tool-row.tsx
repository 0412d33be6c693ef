import { useState } from 'react';
import { useRead } from '../../api/queries';
import type { BundleTool } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { Quiet, Row, Unseen } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Loaded } from '../../ui/problem';
import { FirstOf } from '../../ui/first-of';
import { parametersOf } from '../../ui/tool-parameters';
import styles from './server.module.css';
import { words } from './words';

interface ToolRowProps {
  bundleId: string;
  tool: BundleTool;
}

/** One tool, prompt or template, and on demand what it takes. */
export function ToolRow({ bundleId, tool }: ToolRowProps) {
  const [isOpen, setOpen] = useState(false);
  const annotations = { ...tool.upstream_annotations, ...tool.annotations };
  const isReadOnly = annotations['readOnlyHint'] === true;
  const description = tool.description ?? tool.upstream_description;
  return (
    <div className={styles.line}>
      <Row>
        <code className={styles.toolName}>{shown(tool.name)}</code>
        {tool.kind !== 'tool' && <Badge>{words.tools.kinds[tool.kind]}</Badge>}
        {tool.state !== 'LISTED' && (
          <Badge tone="warn" icon="info">
            {words.tools.states[tool.state]}
          </Badge>
        )}
        {isReadOnly && <Badge icon="check">{words.tools.readOnly}</Badge>}
        {!isReadOnly && annotations['destructiveHint'] === true && (
          <Badge tone="warn" icon="alert">
            {words.tools.destructive}
          </Badge>
        )}
        {tool.upstream_name !== tool.name && <Quiet>{words.tools.upstream(shown(tool.upstream_name))}</Quiet>}
      </Row>
      <p className={styles.text}>
        {description ? <OtherText>{description}</OtherText> : <Quiet>{words.tools.noDescription}</Quiet>}
      </p>
      <details className={styles.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span aria-hidden="true">{words.tools.needs}</span>
          <Unseen>{words.tools.needsOf(shown(tool.name))}</Unseen>
        </summary>
        {isOpen && <ToolNeeds bundleId={bundleId} toolId={tool.id} />}
      </details>
    </div>
  );
}

function ToolNeeds({ bundleId, toolId }: { bundleId: string; toolId: string }) {
  const read = useRead('GET /v1/bundles/{bundle_id}/tools/{tool_id}', {
    path: { bundle_id: bundleId, tool_id: toolId },
  });
  return (
    <Loaded read={read} lines={2}>
      {({ shown: inBundle, definition }) => <Arguments definition={inBundle ?? definition} />}
    </Loaded>
  );
}

function Arguments({ definition }: { definition: Record<string, unknown> | null }) {
  if (definition === null) return <Quiet>{words.tools.unknown}</Quiet>;
  const found = parametersOf(definition);
  if (found.length === 0) return <Quiet>{words.tools.needsNothing}</Quiet>;
  return (
    <FirstOf items={found}>
      {(first) => (
        <ul className={styles.arguments}>
          {first.map((argument) => (
            <li key={argument.name}>
              <Row>
                <code>{shown(argument.name)}</code>
                <Quiet>
                  <OtherText>{argument.type}</OtherText>
                </Quiet>
                {argument.isRequired && <Badge tone="accent">{words.packages.required}</Badge>}
              </Row>
              {argument.description !== undefined && <OtherText>{argument.description}</OtherText>}
            </li>
          ))}
        </ul>
      )}
    </FirstOf>
  );
}
