// Fills a report from the JSON in #data: see Report.java.
(() => {
  'use strict';

  const data = JSON.parse(document.getElementById('data').textContent);
  const $ = id => document.getElementById(id);

  // ---- numbers for people -----------------------------------------------------------------

  const NONE = '–';
  const known = v => typeof v === 'number' && Number.isFinite(v);
  const grouped = (v, digits) => v.toLocaleString('en-US',
    {minimumFractionDigits: digits, maximumFractionDigits: digits});
  /** Three significant digits, never fewer than the whole number. */
  const digits = v => (Math.abs(v) >= 99.95 ? 0 : Math.abs(v) >= 9.995 ? 1 : Math.abs(v) >= 0.9995 ? 2 : 3);
  const short = v => (v !== 0 && Math.abs(v) < 0.0005 ? v.toExponential(1) : grouped(v, Number.isInteger(v) ? 0 : digits(v)));
  const exact = v => v.toLocaleString('en-US', {maximumSignificantDigits: 7});

  function bytes(v) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
    let k = 0;
    while (k < units.length - 1 && v >= 1023.5) {
      v /= 1024;
      k++;
    }
    return grouped(v, k === 0 ? 0 : digits(v)) + '\u00a0' + units[k];
  }

  /** A cell of a column, as people write it. */
  function shown(column, value) {
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (!column.number) return String(value) || NONE;
    if (!known(value)) return NONE;
    switch (column.unit) {
      case 'bytes': return bytes(value);
      case 'share': return grouped(100 * value, 1) + '%';
      case '×': return short(value) + '×';
      default: return short(value);
    }
  }

  // ---- text -------------------------------------------------------------------------------

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  function fillHead() {
    document.title = data.title;
    $('title').textContent = data.title;
    $('subtitle').textContent = data.subtitle;
    $('advice').hidden = !data.advice;
    $('advice').textContent = data.advice;
    $('cards').hidden = data.cards.length === 0;
    $('cards').append(...data.cards.map(card => make('div', {}, make('dt', {}, card.label),
      make('dd', {class: 'value'}, card.value), make('dd', {}, card.note))));
    const facts = Object.entries(data.machine).filter(([name]) => name !== 'Command');
    $('machine').hidden = facts.length === 0;
    $('machine').querySelector('dl').append(...facts.map(([name, value]) =>
      make('div', {}, make('dt', {}, name), make('dd', {}, value))));
    $('command').hidden = !data.machine.Command;
    // Word by word, since a line may not break after the dashes of an option.
    $('command').querySelector('code').append(...(data.machine.Command ?? '').split(' ')
      .flatMap(word => [make('span', {}, word), ' ']));
  }

  function fillContents() {
    $('contents').hidden = data.sections.length < 6;
    $('contents').querySelector('ol').append(...data.sections.map((section, i) =>
      make('li', {}, make('a', {href: `#section-${i}`}, section.title))));
  }

  // ---- tables -----------------------------------------------------------------------------

  /** What a figure shows, as a table. */
  function tableOf(figure) {
    const bars = figure.kind === 'BARS' || figure.kind === 'STACKS';
    const interval = figure.points.some(p => known(p.low));
    const column = (title, number) => ({title, unit: '', number});
    const columns = [column('series', false), column(bars ? figure.x.title : 'what', false),
      ...(bars ? [] : [column(figure.x.title, true)]), column(figure.y.title, true),
      ...(interval ? [column('from', true), column('to', true)] : [])];
    return {
      columns, marked: [],
      rows: figure.points.map(p => [p.series, p.label, ...(bars ? [] : [p.x]), p.y, ...(interval ? [p.low, p.high] : [])]),
    };
  }

  function drawTable(table, name) {
    const head = make('tr', {});
    const body = make('tbody', {});
    const lines = table.rows.map((row, place) => ({
      row, place,
      line: make('tr', table.marked.includes(place) ? {class: 'picked'} : {}, ...table.columns.map((column, i) =>
        make(i === 0 ? 'th' : 'td', {
          ...(i === 0 ? {scope: 'row'} : {}), ...(column.number ? {class: 'number'} : String(row[i]).length > 40 ? {class: 'long'} : {}),
          ...(known(row[i]) ? {title: exact(row[i])} : {}),
        }, shown(column, row[i])))),
    }));
    const heads = table.columns.map((column, i) => {
      const button = make('button', {type: 'button'}, column.title);
      if (column.unit && column.unit !== 'share') button.append(make('span', {class: 'unit'}, ' ' + column.unit));
      const cell = make('th', {scope: 'col', ...(column.number ? {class: 'number'} : {})}, button);
      button.addEventListener('click', () => {
        const sorted = cell.getAttribute('aria-sort');
        const first = column.number ? 'descending' : 'ascending';
        const way = !sorted ? first : sorted === 'ascending' ? 'descending' : 'ascending';
        const sign = way === 'ascending' ? 1 : -1;
        lines.sort((a, b) => {
          const x = a.row[i], y = b.row[i];
          const missing = v => (column.number ? !known(v) : v === '');
          if (missing(x) || missing(y)) return missing(x) - missing(y) || a.place - b.place;
          return sign * (column.number ? x - y : String(x).localeCompare(String(y), 'en', {numeric: true})) || a.place - b.place;
        });
        body.append(...lines.map(each => each.line));
        heads.forEach(other => other.removeAttribute('aria-sort'));
        cell.setAttribute('aria-sort', way);
      });
      return cell;
    });
    head.append(...heads);
    body.append(...lines.map(each => each.line));
    return make('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': name},
      make('table', {}, make('thead', {}, head), body));
  }

  // ---- plots ------------------------------------------------------------------------------

  const style = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  /** Labels of an axis: 20k, but 0.4 rather than 400m, and none where a logarithmic one has no room. */
  const NUMBER = "datum.label && abs(datum.value) < 1 ? format(datum.value, '.2~r') : datum.label";
  const SHAPES = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down', 'triangle-right', 'triangle-left'];

  function config() {
    return {
      font: style('sans'), background: 'transparent', view: {stroke: null},
      axis: {
        labelFontSize: 14, titleFontSize: 14, titleFontWeight: 'normal', labelColor: style('soft'), titleColor: style('soft'),
        gridColor: style('line'), domainColor: style('line'), tickColor: style('line'), titlePadding: 10,
      },
    };
  }

  /** What a point says under the pointer. */
  function tipOf(figure, p) {
    const bars = figure.kind === 'BARS' || figure.kind === 'STACKS';
    return [
      [p.series, p.label].filter(Boolean).join(', '),
      ...(bars ? [] : [`${figure.x.title}: ${exact(p.x)}`]),
      `${figure.y.title}: ${exact(p.y)}` + (known(p.low) && known(p.high) ? ` (${exact(p.low)} to ${exact(p.high)})` : ''),
    ].join('\n');
  }

  /** The colour of a series; that of `ours, paper` is that of `ours`. */
  function coloursOf(points) {
    const base = series => series.replace(/, (the )?paper.*$/, '');
    const names = [...new Set(points.map(p => base(p.series)))];
    return series => names.indexOf(base(series));
  }

  const WIDE = 520;

  function spec(figure, points, number, width) {
    const narrow = width < WIDE;
    const ink = p => style(`series-${number(p.series) % 8}`);
    const values = points.map(p => ({
      ...p, tip: tipOf(figure, p), ink: ink(p), fill: p.reference ? style('page') : ink(p), shape: SHAPES[number(p.series) % 8],
    }));
    const tooltip = {field: 'tip', type: 'nominal'};
    if (figure.kind === 'BARS' || figure.kind === 'STACKS') {
      const stacked = figure.kind === 'STACKS';
      const labels = [...new Set(values.map(p => p.label))];
      const series = [...new Set(values.map(p => p.series))];
      const lane = stacked ? 26 : 15;
      return {
        height: labels.length * ((stacked ? 1 : series.length) * lane + 14),
        data: {values},
        mark: {type: 'bar', strokeWidth: 1.4},
        encoding: {
          y: {
            field: 'label', type: 'nominal', sort: labels, scale: {paddingInner: stacked ? 0.3 : 0.15, paddingOuter: 0.1},
            axis: {title: null, labelLimit: narrow ? 120 : 320, ticks: false, domain: false},
          },
          ...(stacked ? {} : {yOffset: {field: 'series', type: 'nominal', sort: series}}),
          x: {
            field: 'y', type: 'quantitative', scale: {zero: true}, ...(stacked ? {} : {stack: null}),
            axis: {title: figure.y.title, format: '~s', labelExpr: NUMBER, tickCount: narrow ? 4 : 8, labelFlush: true},
          },
          ...(stacked ? {order: {field: 'place', type: 'quantitative'}} : {}),
          fill: {field: 'fill', type: 'nominal', scale: null}, stroke: {field: 'ink', type: 'nominal', scale: null}, tooltip,
        },
      };
    }
    const scale = axis => (axis.log ? {type: 'log', nice: false, padding: 18} : {zero: false, nice: false, padding: 14});
    const x = {
      field: 'x', type: 'quantitative', scale: scale(figure.x),
      axis: {title: figure.x.title, format: '~s', labelExpr: NUMBER, grid: false, tickCount: narrow ? 4 : 9, labelFlush: true, labelOverlap: 'greedy'},
    };
    const y = {
      field: 'y', type: 'quantitative', scale: scale(figure.y),
      axis: {
        title: figure.y.title, titleAngle: 0, titleAlign: 'left', titleAnchor: 'end', titleBaseline: 'bottom', titleX: 0,
        titleY: -10, titleLimit: width - 20, format: '~s', labelExpr: NUMBER, domain: false, ticks: false, tickCount: 7, labelOverlap: 'greedy',
      },
    };
    const paint = {stroke: {field: 'ink', type: 'nominal', scale: null}};
    const layer = [];
    if (figure.kind === 'LINES') {
      layer.push({
        mark: {type: 'line', strokeWidth: 1.6},
        encoding: {
          x, y, ...paint, detail: [{field: 'series', type: 'nominal'}, {field: 'reference', type: 'nominal'}],
          order: {field: 'place', type: 'quantitative'},
          strokeDash: {condition: {test: 'datum.reference', value: [3, 4]}, value: [1, 0]},
        },
      });
    }
    if (values.some(p => known(p.low) && known(p.high))) {
      layer.push({
        transform: [{filter: 'isNumber(datum.low) && isNumber(datum.high)'}], mark: {type: 'rule', strokeWidth: 1.4},
        encoding: {x, y: {...y, field: 'low'}, y2: {field: 'high'}, ...paint},
      });
    }
    layer.push({
      mark: {type: 'point', opacity: 1, strokeWidth: 1.6, size: 70},
      encoding: {
        x, y, ...paint, fill: {field: 'fill', type: 'nominal', scale: null},
        shape: {field: 'shape', type: 'nominal', scale: null}, tooltip,
      },
    });
    return {height: narrow ? 300 : 380, data: {values}, layer};
  }

  const MARKS = ['<circle r="5.5" ', '<rect x="-5" y="-5" width="10" height="10" ', '<path d="M-6 5H6L0 -6Z" ',
    '<path d="M0 -7L6 0L0 7L-6 0Z" ', '<path d="M-6 -2H-2V-6H2V-2H6V2H2V6H-2V2H-6Z" ', '<path d="M-6 -5H6L0 6Z" ',
    '<path d="M-5 -6V6L6 0Z" ', '<path d="M5 -6V6L-6 0Z" '];

  function legend(figure, number, hidden, redraw) {
    const bars = figure.kind === 'BARS' || figure.kind === 'STACKS';
    const series = [...new Set(figure.points.map(p => p.series))];
    if (series.length < 2) return '';
    return make('ul', {class: 'key'}, ...series.map(name => {
      const colour = `var(--series-${number(name) % 8})`;
      const hollow = figure.points.every(p => p.series !== name || p.reference);
      const button = make('button', {type: 'button', 'aria-pressed': 'true', title: 'show or hide'});
      button.innerHTML = '<svg viewBox="-8 -8 16 16" aria-hidden="true">' + MARKS[bars ? 1 : number(name) % 8]
        + `fill="${hollow ? 'none' : colour}" stroke="${colour}" stroke-width="1.6"/></svg>`;
      button.append(name);
      button.addEventListener('click', () => {
        const away = !hidden.delete(name);
        if (away) hidden.add(name);
        button.setAttribute('aria-pressed', String(!away));
        redraw();
      });
      return make('li', {}, button);
    }));
  }

  /** Draws a figure; what is returned draws it again at the page's width. */
  function plot(figure) {
    const place = make('div', {
      class: 'plot', role: 'img',
      'aria-label': `${figure.y.title} by ${figure.x.title}; the table below has the values`,
    });
    const number = coloursOf(figure.points);
    const hidden = new Set();
    let view = null;
    const draw = () => {
      view?.finalize();
      $('tip').hidden = true;
      const bars = figure.kind === 'BARS' || figure.kind === 'STACKS';
      const points = figure.points
        .filter(p => !hidden.has(p.series) && known(p.y) && (bars || known(p.x))
          && !(figure.x.log && !bars && p.x <= 0) && !(figure.y.log && !bars && p.y <= 0))
        .map((p, i) => ({...p, place: i}));
      const whole = {
        autosize: {type: 'fit-x', contains: 'padding'}, width: place.clientWidth, config: config(),
        ...spec(figure, points, number, place.clientWidth),
      };
      const compiled = vegaLite.compile(whole, {logger: vega.logger(vega.Error)}).spec;
      view = new vega.View(vega.parse(compiled), {renderer: 'svg', container: place, hover: false});
      view.tooltip(showTip);
      return view.runAsync();
    };
    return {place, draw, key: legend(figure, number, hidden, draw)};
  }

  function showTip(_handler, event, _item, value) {
    const tip = $('tip');
    tip.hidden = !value;
    if (!value) return;
    tip.textContent = value;
    const at = event.touches?.[0] ?? event;
    const {width, height} = tip.getBoundingClientRect();
    const left = Math.min(at.clientX + 14, document.documentElement.clientWidth - width - 8);
    const top = at.clientY + 14 + height > innerHeight ? at.clientY - height - 14 : at.clientY + 14;
    tip.style.left = Math.max(8, left) + 'px';
    tip.style.top = Math.max(8, top) + 'px';
  }

  // ---- the page ---------------------------------------------------------------------------

  fillHead();
  fillContents();
  const plots = [];
  data.sections.forEach((section, i) => {
    const drawn = section.figure && section.figure.points.length > 0 ? plot(section.figure) : null;
    const table = section.table ?? (section.figure ? tableOf(section.figure) : null);
    const parts = [make('h2', {}, section.title)];
    if (section.text) parts.push(make('p', {class: 'caption'}, section.text));
    if (drawn) {
      plots.push(drawn);
      parts.push(make('figure', {}, drawn.key, drawn.place));
    }
    if (table && drawn) {
      parts.push(make('details', {}, make('summary', {}, 'Table'), drawTable(table, section.title)));
    } else if (table) {
      parts.push(drawTable(table, section.title));
    }
    $('sections').append(make('section', {id: `section-${i}`}, ...parts));
  });

  let drawnAt = 0;
  let due = 0;
  const width = () => document.querySelector('main').clientWidth;
  function drawAll() {
    drawnAt = width();
    plots.forEach(each => each.draw());
  }
  drawAll();
  new ResizeObserver(() => {
    cancelAnimationFrame(due);
    due = requestAnimationFrame(() => {
      if (width() !== drawnAt) drawAll();
    });
  }).observe(document.querySelector('main'));
  addEventListener('scroll', () => { $('tip').hidden = true; }, {passive: true});
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(each => { each.open = true; }));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
})();
