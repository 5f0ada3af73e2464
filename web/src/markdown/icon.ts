// Icons (lucide) by the names that the interface uses, also as elements for code outside components.
import {
  ArrowDown, ArrowUp, Check, ChevronDown, Copy, Ellipsis, Menu, MessageSquare, PanelLeft, Pencil, Play, Plus, RefreshCw,
  SlidersHorizontal, Square, Trash2, TriangleAlert, WrapText, X, type IconNode,
} from 'lucide'; // prettier-ignore

const icons = {
  check: Check,
  chevronDown: ChevronDown,
  close: X,
  copy: Copy,
  dots: Ellipsis,
  down: ArrowDown,
  menu: Menu,
  message: MessageSquare,
  panel: PanelLeft,
  pencil: Pencil,
  play: Play,
  plus: Plus,
  refresh: RefreshCw,
  send: ArrowUp,
  sliders: SlidersHorizontal,
  stop: Square,
  trash: Trash2,
  warning: TriangleAlert,
  wrap: WrapText,
} satisfies Record<string, IconNode>;

export type IconName = keyof typeof icons;
const SVG = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  for (const [tag, attributes] of icons[name]) {
    const part = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, String(value));
    svg.append(part);
  }
  return svg;
}
