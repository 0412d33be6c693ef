import { useMutation } from '@tanstack/react-query';
import { asProblem } from '../../../api/problem';
import type { BundleTool } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { shown } from '../../../ui/other-text';
import { notify } from '../../../ui/toasts';
import { switchTool } from './rule-tools';
import { toolsWords as words } from './words';

interface ToolSwitchProps {
  bundleId: string;
  tool: Pick<BundleTool, 'id' | 'name' | 'is_enabled'>;
}

/** Turns a tool on or off, at once. */
export function ToolSwitch({ bundleId, tool }: ToolSwitchProps) {
  const change = useMutation({
    mutationFn: () => switchTool(bundleId, tool, !tool.is_enabled),
    onError: (error) => notify(asProblem(error).message || words.notChanged, 'bad'),
  });
  return (
    <Button
      role="switch"
      aria-checked={tool.is_enabled}
      aria-label={words.switchOf(shown(tool.name))}
      icon={tool.is_enabled ? 'check' : 'pause'}
      busy={change.isPending}
      onClick={() => change.mutate()}
    >
      {tool.is_enabled ? words.on : words.off}
    </Button>
  );
}
