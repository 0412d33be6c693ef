import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { locale } from '../../../messages/text';
import styles from './calls.module.css';
import type { Series } from './slices';
import { useTheme } from './use-theme';
import { callsWords } from './words';

/** How a row of a chart is drawn. */
export interface Line {
  label: string;
  /** A custom property of tokens.css. */
  colour: '--accent' | '--bad' | '--warn' | '--good';
  /** Lengths of strokes and gaps, so that lines differ by more than their colours. Empty: one stroke. */
  dash: number[];
  fills?: boolean;
}

interface ChartProps {
  /** What it is, for those who hear the page. */
  label: string;
  lines: readonly Line[];
  series: Series;
  valueText: (value: number) => string;
}

const HEIGHT = 240;
const LINE_WIDTH = 2;
/** Of marks at each value, so that a single one between gaps is seen. */
const POINT_SIZE = 5;

/** Lines over time, with the values under the pointer below them. */
export default function Chart({ label, lines, series, valueText }: ChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const plot = new uPlot(optionsOf(element, lines, valueText), series, element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [lines, series, valueText, theme]);
  return <div ref={holder} className={styles.chart} role="img" aria-label={label} />;
}

function optionsOf(element: HTMLElement, lines: readonly Line[], valueText: (value: number) => string): uPlot.Options {
  const style = getComputedStyle(element);
  const [quiet, faint] = [colourOf(element, '--quiet'), colourOf(element, '--line')];
  const axis = {
    stroke: quiet,
    grid: { stroke: faint, width: 1 },
    ticks: { stroke: faint, width: 1 },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { drag: { x: false, y: false }, points: { size: 8 } },
    legend: {
      markers: {
        width: LINE_WIDTH,
        dash: (_, index) => ((lines[index - 1]?.dash.length ?? 0) > 0 ? 'dashed' : 'solid'),
      },
    },
    scales: { y: { range: (_, __, most) => [0, most === 0 ? 1 : most * 1.1] } },
    axes: [
      { ...axis, values: (_, seconds, ___, ____, step) => seconds.map((one) => tickText(one, step)) },
      { ...axis, size: 76, values: (_, values) => values.map(valueText) },
    ],
    series: [
      {
        label: callsWords.charts.time,
        value: (_, second) => (second === null ? callsWords.charts.none : FULL.format(second * 1_000)),
      },
      ...lines.map(({ label, colour, dash, fills }): uPlot.Series => {
        const stroke = colourOf(element, colour);
        return {
          label,
          stroke,
          dash,
          width: LINE_WIDTH,
          ...(fills && { fill: colourOf(element, '--accent-soft') }),
          points: { show: true, size: POINT_SIZE, fill: stroke },
          value: (_, value) => (value === null ? callsWords.charts.none : valueText(value)),
        };
      }),
    ],
  };
}

const FULL = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const TIME = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const DAY_SECONDS = 86_400;

function tickText(second: number, step: number): string {
  const at = new Date(second * 1_000);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
  return (step >= DAY_SECONDS || isMidnight ? DAY : TIME).format(at);
}

/** A canvas knows no custom properties, and no `light-dark()`: the browser says what a colour is in this theme. */
function colourOf(element: HTMLElement, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
