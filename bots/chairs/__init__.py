"""Who sits at the table: a chair asks one bot within its limits and turns failures into faults."""
