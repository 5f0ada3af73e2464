#!/usr/bin/env python3
"""Writes a DOCX or XLSX with another program's library and prints what that library reads back from it.

    office_reference.py docx|xlsx FILE

Exit status 77: the library (Debian: python3-docx, python3-openpyxl) is not there.
"""
import datetime
import sys


def docx_lines(path):
    import docx
    from docx.oxml.ns import qn
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    document = docx.Document()
    document.core_properties.title = "Harbour report"
    document.add_heading("Harbour", 0)
    document.add_heading("Ships", 1)
    paragraph = document.add_paragraph("Two ")
    paragraph.add_run("big").bold = True
    paragraph.add_run(" ships came — “late”.")
    document.add_paragraph("Anchor", style="List Bullet")
    document.add_paragraph("Rope", style="List Number")
    document.add_paragraph("All is well", style="Intense Quote")
    document.add_heading("Cargo", 2)
    table = document.add_table(rows=4, cols=3)
    for row, values in enumerate([["Port", "Goods", "Tons"], ["Riga", "Wood", "12"], ["", "Tar", "3"], ["Oslo", "Fish", "7"]]):
        for column, value in enumerate(values):
            table.cell(row, column).text = value
    table.cell(1, 0).merge(table.cell(2, 0))
    document.add_paragraph("日本語 and العربية")
    document.save(path)

    again = docx.Document(path)
    yield "title: " + again.core_properties.title
    for element in again.element.body:
        if element.tag == qn("w:p"):
            paragraph = Paragraph(element, again)
            style = paragraph.style.name
            if style == "Title" or style.startswith("Heading"):
                level = 1 if style == "Title" else int(style.split()[-1])
                yield f"heading {level}: {paragraph.text}"
            elif style.startswith("List"):
                yield f"item 1: {paragraph.text}"
            else:
                yield ("quote: " if "Quote" in style else "paragraph: ") + paragraph.text
        elif element.tag == qn("w:tbl"):
            for number, row in enumerate(Table(element, again).rows):
                yield ("row: " if number else "columns: ") + " | ".join(cell.text.strip() for cell in row.cells)


def shown(cell):
    value = cell.value
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d" if value.time() == datetime.time() else "%Y-%m-%d %H:%M:%S")
    if isinstance(value, datetime.time):
        return value.strftime("%H:%M:%S")
    if "%" in cell.number_format:
        return f"{value * 100:g}%"
    return "" if value is None else str(value)


def xlsx_lines(path):
    import openpyxl

    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Catch & weight"
    sheet.append(["Day", "Fish", "Share", "Kilos", "Sold"])
    sheet.append([datetime.date(2024, 2, 29), "Cod", 0.125, 3.75, True])
    sheet.append([datetime.datetime(1999, 12, 31, 23, 59, 58), "Eel <long>", 1, 1234567.5, False])
    sheet.append([datetime.time(6, 30), "Ünagi 鰻", 0.5, 0.1, None])
    for row in range(2, 5):
        sheet.cell(row, 3).number_format = "0.0%"
    other = workbook.create_sheet("Plan")
    other["B2"] = "Week"
    other["C2"] = "Boat"
    other["B3"], other["C3"] = 7, "Elsa"
    workbook.save(path)

    for sheet in openpyxl.load_workbook(path):
        yield "heading 1: " + sheet.title
        rows = [[shown(cell) for cell in row] for row in sheet.iter_rows()]
        columns = [i for i in range(sheet.max_column) if any(row[i] for row in rows)]
        rows = [[row[i] for i in columns] for row in rows if any(row)]
        for number, row in enumerate(rows):
            while not row[-1]:
                row.pop()
            yield ("row: " if number else "columns: ") + " | ".join(row)


def main():
    try:
        lines = list({"docx": docx_lines, "xlsx": xlsx_lines}[sys.argv[1]](sys.argv[2]))
    except ImportError as error:
        print(error)
        sys.exit(77)
    print("\n".join(lines))


main()
