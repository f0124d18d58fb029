! What mpi.cpp has of calls that Fortran programs make, with the module of old and the one of 2008.
module old
  implicit none
contains
  subroutine exchange(rank, size)
    use mpi
    integer, intent(in) :: rank, size
    double precision :: from(200), into(200)
    integer :: requests(2), statuses(MPI_STATUS_SIZE, 2), status(MPI_STATUS_SIZE), error, index, count, row
    logical :: done
    call MPI_Bcast(from, 30, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
    into = 1 + rank
    call MPI_Allreduce(MPI_IN_PLACE, into, 20, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    if (into(20) /= 3) stop "the sum is wrong"
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, into, 100, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
    ! In this communicator the other rank is last where the first one calls.
    call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, row, error)
    if (rank == 0) then
      call MPI_Send(from, 11, MPI_DOUBLE_PRECISION, 0, 5, row, error)
      call MPI_Isend(from, 12, MPI_DOUBLE_PRECISION, 1, 6, MPI_COMM_WORLD, requests(1), error)
      call MPI_Isend(from, 13, MPI_DOUBLE_PRECISION, 1, 7, MPI_COMM_WORLD, requests(2), error)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
      if (any(requests /= MPI_REQUEST_NULL)) stop "requests are left"
      call MPI_Send(from, 14, MPI_DOUBLE_PRECISION, 1, 8, MPI_COMM_WORLD, error)
      call MPI_Send(from, 15, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 8, MPI_COMM_WORLD, error)
    else
      call MPI_Recv(into, 200, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 5, row, status, error)
      call MPI_Get_count(status, MPI_DOUBLE_PRECISION, count, error)
      if (count /= 11 .or. status(MPI_SOURCE) /= 1 .or. status(MPI_TAG) /= 5) stop "the status is wrong"
      call MPI_Irecv(into, 100, MPI_DOUBLE_PRECISION, 0, 6, MPI_COMM_WORLD, requests(1), error)
      call MPI_Irecv(into(101), 100, MPI_DOUBLE_PRECISION, 0, 7, MPI_COMM_WORLD, requests(2), error)
      call MPI_Waitall(2, requests, statuses, error)
      if (statuses(MPI_TAG, 1) /= 6 .or. statuses(MPI_TAG, 2) /= 7) stop "the statuses are wrong"
      requests(1) = MPI_REQUEST_NULL
      call MPI_Irecv(into, 100, MPI_DOUBLE_PRECISION, 0, 8, MPI_COMM_WORLD, requests(2), error)
      done = .false.
      do while (.not. done)
        call MPI_Testany(2, requests, index, done, MPI_STATUS_IGNORE, error)
      end do
      if (index /= 2 .or. requests(2) /= MPI_REQUEST_NULL) stop "the index is wrong"
    end if
    call MPI_Comm_free(row, error)
  end subroutine
end module

module new
  implicit none
contains
  subroutine exchange(rank, size)
    use mpi_f08
    integer, intent(in) :: rank, size
    double precision :: from(100), into(100)
    double precision :: memory(100)
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    type(MPI_Win) :: window
    integer :: counts(size), offsets(size)
    if (rank == 0) then
      call MPI_Ssend(from, 16, MPI_DOUBLE_PRECISION, 1, 9, MPI_COMM_WORLD)
    else
      call MPI_Irecv(into, 100, MPI_DOUBLE_PRECISION, 0, 9, MPI_COMM_WORLD, request)
      call MPI_Wait(request, status)
      if (status%MPI_SOURCE /= 0 .or. status%MPI_TAG /= 9) stop "the status of 2008 is wrong"
    end if
    counts = 5
    offsets = 0
    call MPI_Alltoallv(from, counts, offsets, MPI_INTEGER, into, counts, offsets, MPI_INTEGER, MPI_COMM_WORLD)
    call MPI_Ibarrier(MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_create(memory, 800_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window)
    call MPI_Win_fence(0, window)
    from = rank + 7
    if (rank == 0) call MPI_Put(from, 20, MPI_DOUBLE_PRECISION, 1, 10_MPI_ADDRESS_KIND, 20, MPI_DOUBLE_PRECISION, window)
    call MPI_Win_fence(0, window)
    if (rank == 1 .and. memory(11) /= 7) stop "what was put is not there"
    call MPI_Win_free(window)
  end subroutine
end module

program fortran
  use mpi
  use old, only: exchange_old => exchange
  use new, only: exchange_new => exchange
  implicit none
  integer :: rank, size, error
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call exchange_old(rank, size)
  call exchange_new(rank, size)
  print "(a, i0)", "done ", rank
  call MPI_Finalize(error)
end program
