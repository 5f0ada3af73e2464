// Icons (lucide) by the names that the interface uses, also as elements for code outside components.
import {
  ArrowDown, ArrowUp, Ban, Check, ChevronDown, ChevronRight, CircleStop, CircleX, Copy, Ellipsis, Globe, Hand,
  LoaderCircle, Menu, MessageSquare, PanelLeft, Pencil, Play, Plug, Plus, RefreshCw, SlidersHorizontal, Square,
  SquareTerminal, Trash2, TriangleAlert, Unplug, WrapText, Wrench, X, type IconNode,
} from 'lucide'; // prettier-ignore

const icons = {
  ban: Ban,
  check: Check,
  chevronDown: ChevronDown,
  chevronRight: ChevronRight,
  close: X,
  copy: Copy,
  dots: Ellipsis,
  cross: CircleX,
  down: ArrowDown,
  globe: Globe,
  halt: CircleStop,
  hand: Hand,
  loader: LoaderCircle,
  menu: Menu,
  message: MessageSquare,
  panel: PanelLeft,
  pencil: Pencil,
  play: Play,
  plug: Plug,
  plus: Plus,
  refresh: RefreshCw,
  send: ArrowUp,
  sliders: SlidersHorizontal,
  stop: Square,
  terminal: SquareTerminal,
  trash: Trash2,
  unplug: Unplug,
  warning: TriangleAlert,
  wrap: WrapText,
  wrench: Wrench,
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
